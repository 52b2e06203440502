"""A Python program that uses a GPU and its own sqlite3, of another version than the tool's.

Usage: vcopy.py FOLDER. Before, while and after kernels run it fills a database of its own; at the
end it prints the version of its SQLite and the sum that it reads back.
"""
import ctypes
import sqlite3
import sys
import threading

sim = ctypes.CDLL(None)


def fill(connection, first):
    with connection:
        connection.executemany("INSERT INTO t VALUES (?)", ((n,) for n in range(first, first + 1000)))


connection = sqlite3.connect(sys.argv[1] + "/own.db", check_same_thread=False)
connection.execute("PRAGMA journal_mode = WAL")
connection.execute("CREATE TABLE t (n INTEGER)")
fill(connection, 0)
thread = threading.Thread(target=sim.sim_run)
thread.start()
for i in range(1, 10):
    fill(connection, 1000 * i)
thread.join()
total, = connection.execute("SELECT sum(n) FROM t").fetchone()
check, = connection.execute("PRAGMA integrity_check").fetchone()
print(sqlite3.sqlite_version, total, check)
