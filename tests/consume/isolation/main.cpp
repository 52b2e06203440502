// Uses our library and another SQLite in the same run, each before and after the other.
#include <profiler-hub/c/profiler_hub.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sqlite3.h>

#ifdef OTHER_RUST
extern "C" int other_rust_sqlite_version(void);
#endif

namespace {

// The version of the other SQLite as the linker resolved it; it has to be the one whose header was compiled in.
int other_sqlite_version()
{
#ifdef OTHER_RUST
    return other_rust_sqlite_version();
#else
    sqlite3*      db        = nullptr;
    sqlite3_stmt* statement = nullptr;
    int           answer    = -1;
    if(sqlite3_open(":memory:", &db) == SQLITE_OK &&
       sqlite3_prepare_v2(db, "SELECT 40 + 2", -1, &statement, nullptr) == SQLITE_OK &&
       sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_int(statement, 0) == 42)
        answer = sqlite3_libversion_number();
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return answer;
#endif
}

}  // namespace

int main(int argc, char** argv)
{
    if(argc != 2) return 2;
    ph_schema_version_t schema{};
    ph_ctx_t            ctx    = nullptr;
    const int           before = other_sqlite_version();
    if(ph_ctx_create(&ctx, argv[1]) != PH_RESULT_SUCCESS) return 1;
    const int between = other_sqlite_version();
    if(ph_get_schema_version(ctx, &schema) != PH_RESULT_SUCCESS) return 1;
    if(ph_ctx_free(ctx) != PH_RESULT_SUCCESS) return 1;
    const int after = other_sqlite_version();

    const nlohmann::json said = {{"schema", schema.major}, {"other", after}};
    fmt::print("{}\n", said.dump());
    return before == SQLITE_VERSION_NUMBER && between == before && after == before ? 0 : 1;
}
