/* The limit: virtual tables that count, as trivial as can be, for SQLite to read rows from. */

#include <sqlite3.h>

enum { COLUMNS_OF_EVENTS, COLUMNS_OF_VALUES };

typedef struct {
    sqlite3_vtab base;
    int kind;
} table_t;

typedef struct {
    sqlite3_vtab_cursor base;
    sqlite3_int64 row;
    sqlite3_int64 rows;
    sqlite3_int64 values_per_event;
} cursor_t;

static int connect(sqlite3* db, void* kind, int argc, const char* const* argv,
                   sqlite3_vtab** table, char** error)
{
    (void) argc;
    (void) argv;
    (void) error;
    table_t* made = sqlite3_malloc(sizeof *made);
    if(!made) return SQLITE_NOMEM;
    *made  = (table_t){ .kind = kind ? COLUMNS_OF_VALUES : COLUMNS_OF_EVENTS };
    *table = &made->base;
    return sqlite3_declare_vtab(
        db, kind ? "CREATE TABLE x(event_id, pmc_id, value, n HIDDEN, per_event HIDDEN)"
                 : "CREATE TABLE x(correlation_id, n HIDDEN, per_event HIDDEN)");
}

static int disconnect(sqlite3_vtab* table)
{
    sqlite3_free(table);
    return SQLITE_OK;
}

/* Both hidden columns are arguments, in their order. */
static int best_index(sqlite3_vtab* table, sqlite3_index_info* info)
{
    int first = ((table_t*) table)->kind == COLUMNS_OF_VALUES ? 3 : 1;
    for(int i = 0; i < info->nConstraint; ++i)
    {
        info->aConstraintUsage[i].argvIndex = info->aConstraint[i].iColumn - first + 1;
        info->aConstraintUsage[i].omit      = 1;
    }
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor)
{
    (void) table;
    cursor_t* made = sqlite3_malloc(sizeof *made);
    if(!made) return SQLITE_NOMEM;
    *made   = (cursor_t){ .row = 0 };
    *cursor = &made->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor* cursor)
{
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor* cursor, int plan, const char* plan_text, int argc,
                  sqlite3_value** argv)
{
    (void) plan;
    (void) plan_text;
    cursor_t* c         = (cursor_t*) cursor;
    c->row              = 0;
    c->rows             = argc > 0 ? sqlite3_value_int64(argv[0]) : 0;
    c->values_per_event = argc > 1 ? sqlite3_value_int64(argv[1]) : 1;
    return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor* cursor)
{
    ++((cursor_t*) cursor)->row;
    return SQLITE_OK;
}

static int eof(sqlite3_vtab_cursor* cursor)
{
    cursor_t* c = (cursor_t*) cursor;
    return c->row >= c->rows;
}

static int column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int i)
{
    cursor_t* c = (cursor_t*) cursor;
    if(((table_t*) c->base.pVtab)->kind == COLUMNS_OF_EVENTS)
        sqlite3_result_int64(context, c->row + 1);
    else if(i == 0)
        sqlite3_result_int64(context, c->row / c->values_per_event + 1);
    else if(i == 1)
        sqlite3_result_int64(context, c->row % 50 + 1);
    else
        sqlite3_result_double(context, (double) c->row + 0.5);
    return SQLITE_OK;
}

static int rowid(sqlite3_vtab_cursor* cursor, sqlite3_int64* id)
{
    *id = ((cursor_t*) cursor)->row;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .xConnect    = connect,
    .xBestIndex  = best_index,
    .xDisconnect = disconnect,
    .xOpen       = open_cursor,
    .xClose      = close_cursor,
    .xFilter     = filter,
    .xNext       = next,
    .xEof        = eof,
    .xColumn     = column,
    .xRowid      = rowid,
};

/* Makes the tables limit_events(n, per_event) and limit_values(n, per_event). */
int rocpd_bench_limit(sqlite3* db)
{
    static char values;
    int         result = sqlite3_create_module(db, "limit_events", &module, 0);
    return result ? result : sqlite3_create_module(db, "limit_values", &module, &values);
}
