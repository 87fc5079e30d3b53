//===- TuningSQLite.cpp - Measurements in a database ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TuningSQLite.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/JSON.h"
#include <sqlite3.h>

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

const char *const tgemm::kTuningShapesTable = R"(CREATE TABLE shapes (
  id INTEGER PRIMARY KEY,
  target TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  count INTEGER NOT NULL,
  UNIQUE (target, kind, key)
))";
const char *const tgemm::kTuningMeasurementsTable =
    R"(CREATE TABLE measurements (
  id INTEGER PRIMARY KEY,
  shape INTEGER NOT NULL REFERENCES shapes,
  mode TEXT NOT NULL,
  tilings TEXT NOT NULL,
  line TEXT NOT NULL,
  crc32 INTEGER NOT NULL,
  UNIQUE (shape, mode, tilings)
))";

/// Selects the rows of a shape, each with the number of rows that the shape
/// has.
static constexpr StringLiteral kFind = R"(
SELECT shapes.count, measurements.id, line, crc32
FROM shapes LEFT JOIN measurements ON shape = shapes.id
WHERE target = ? AND kind = ? AND key = ? ORDER BY measurements.id)";

/// How long to wait for a writer. Writers need milliseconds.
static constexpr int kBusyMilliseconds = 10000;

namespace {

/// A prepared statement.
class Statement {
public:
  Statement(sqlite3 *connection, StringRef text) {
    status = sqlite3_prepare_v2(connection, text.data(),
                                static_cast<int>(text.size()), &statement,
                                /*pzTail=*/nullptr);
  }
  ~Statement() { sqlite3_finalize(statement); }
  Statement(const Statement &) = delete;
  Statement &operator=(const Statement &) = delete;

  /// `text` must outlive the statement.
  void bind(int parameter, StringRef text) {
    if (status == SQLITE_OK)
      status = sqlite3_bind_text64(statement, parameter, text.data(),
                                   text.size(), SQLITE_STATIC, SQLITE_UTF8);
  }

  /// Whether there is a next row.
  bool step() {
    if (status != SQLITE_OK && status != SQLITE_ROW)
      return false;
    status = sqlite3_step(statement);
    return status == SQLITE_ROW;
  }

  /// Whether the statement has failed, and not just come to its end.
  bool hasFailed() const {
    return status != SQLITE_OK && status != SQLITE_ROW && status != SQLITE_DONE;
  }

  bool isNull(int column) const {
    return sqlite3_column_type(statement, column) == SQLITE_NULL;
  }
  int64_t getInteger(int column) const {
    return sqlite3_column_int64(statement, column);
  }
  StringRef getText(int column) const {
    const unsigned char *text = sqlite3_column_text(statement, column);
    auto size = static_cast<size_t>(sqlite3_column_bytes(statement, column));
    return StringRef(reinterpret_cast<const char *>(text), text ? size : 0);
  }

private:
  sqlite3_stmt *statement = nullptr;
  int status;
};

class SQLiteDatabase : public TuningDatabase {
public:
  SQLiteDatabase(MLIRContext *context, StringRef path)
      : context(context), path(path) {}
  ~SQLiteDatabase() override { sqlite3_close(connection); }

  LogicalResult open() {
    int status = sqlite3_open_v2(path.c_str(), &connection,
                                 SQLITE_OPEN_READONLY, /*zVfs=*/nullptr);
    if (status != SQLITE_OK)
      return failRead();
    sqlite3_busy_timeout(connection, kBusyMilliseconds);
    if (failed(checkHeader()) ||
        failed(checkTable("shapes", kTuningShapesTable)) ||
        failed(checkTable("measurements", kTuningMeasurementsTable)))
      return failure();
    // Rows of the other table are checked when they are read.
    FailureOr<std::string> found = query("PRAGMA integrity_check('shapes')");
    if (failed(found))
      return failure();
    return *found == "ok" ? success() : failDamaged(*found);
  }

private:
  InFlightDiagnostic fail() {
    return emitError(UnknownLoc::get(context))
           << "cannot read the tuning database '" << path << "': ";
  }

  /// `problem` may quote bytes that are not text.
  LogicalResult failDamaged(const Twine &problem) {
    return fail() << "it is damaged: " << llvm::json::fixUTF8(problem.str());
  }

  /// Fails with the message of SQLite.
  LogicalResult failRead() {
    if (sqlite3_extended_errcode(connection) == SQLITE_READONLY_ROLLBACK)
      return fail() << "who wrote it was ended in the midst; `grout-tune "
                       "check` undoes what was not complete";
    if (int code = sqlite3_errcode(connection);
        code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
      return failDamaged(sqlite3_errmsg(connection));
    return fail() << llvm::json::fixUTF8(sqlite3_errmsg(connection));
  }

  /// Returns the only value of the first row; an empty string if there is no
  /// row.
  FailureOr<std::string> query(StringRef text) {
    Statement statement(connection, text);
    if (statement.step())
      return statement.getText(0).str();
    if (statement.hasFailed())
      return failRead();
    return std::string();
  }

  LogicalResult checkHeader() {
    FailureOr<std::string> id = query("PRAGMA application_id");
    FailureOr<std::string> version = query("PRAGMA user_version");
    FailureOr<std::string> encoding = query("PRAGMA encoding");
    if (failed(id) || failed(version) || failed(encoding))
      return failure();
    if (*id != std::to_string(kTuningApplicationId))
      return fail() << "it is another program's";
    if (*version != std::to_string(kTuningSchemaVersion))
      return fail() << "version " << *version << "; this compiler reads "
                    << kTuningSchemaVersion;
    return *encoding == "UTF-8" ? success() : failDamaged("its texts");
  }

  LogicalResult checkTable(StringRef name, StringRef want) {
    FailureOr<std::string> found =
        query(("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = "
               "'" +
               name + "'")
                  .str());
    if (failed(found))
      return failure();
    return *found == want ? success()
                          : failDamaged("it lacks the table '" + name + "'");
  }

  /// Reads the line in a row, and checks that it is unchanged since it was
  /// written, and that it is of `shape`.
  LogicalResult readRow(const Statement &row, const TuningShape &shape,
                        Entries &entries) {
    int64_t id = row.getInteger(1);
    StringRef text = row.getText(2);
    if (llvm::crc32(llvm::arrayRefFromStringRef(text)) != row.getInteger(3))
      return failDamaged("row " + Twine(id) + " is not what was written");
    auto line = parseTuningLine(text, path + ":" + std::to_string(id));
    if (!line)
      return failDamaged("row " + Twine(id) + " is no measurement: " +
                         llvm::toString(line.takeError()));
    if (!(line->first == shape))
      return failDamaged("row " + Twine(id) + " is not where it belongs");
    entries.push_back(std::move(line->second));
    return success();
  }

  FailureOr<Entries> read(const TuningShape &shape) override {
    Statement rows(connection, kFind);
    rows.bind(1, shape.target);
    rows.bind(2, shape.kind);
    rows.bind(3, shape.key);
    Entries entries;
    int64_t count = 0, last = 0;
    while (rows.step()) {
      count = rows.getInteger(0);
      if (rows.isNull(1))
        continue;
      // An index that leads to one row twice misses another row.
      if (rows.getInteger(1) <= last)
        return failDamaged("its index");
      last = rows.getInteger(1);
      if (failed(readRow(rows, shape, entries)))
        return failure();
    }
    if (rows.hasFailed())
      return failRead();
    if (static_cast<size_t>(count) != entries.size())
      return failDamaged("measurements of '" + shape.key + "' are missing");
    return entries;
  }

  MLIRContext *context;
  std::string path;
  sqlite3 *connection = nullptr;
};

} // namespace

FailureOr<std::unique_ptr<TuningDatabase>>
tgemm::openTuningSQLite(MLIRContext *context, StringRef path) {
  auto database = std::make_unique<SQLiteDatabase>(context, path);
  if (failed(database->open()))
    return failure();
  return std::unique_ptr<TuningDatabase>(std::move(database));
}
