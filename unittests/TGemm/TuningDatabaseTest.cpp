//===- TuningDatabaseTest.cpp - Measurements that are read or refused -----===//
//
// Part of Grout. What is damaged is refused with an error that names the file,
// or makes no difference: never is a part of it read for the whole.
//
//===----------------------------------------------------------------------===//

#include "TuningDatabase.h"
#include "TuningSQLite.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <random>
#include <sqlite3.h>

using namespace mlir;
using namespace grout::tgemm;
using testing::HasSubstr;

namespace {

constexpr unsigned kShapes = 24, kTilings = 6;

TuningShape getShape(unsigned index) {
  return {"h200", index % 2 ? "chain" : "product",
          "64x128x" + std::to_string(64 * index) + " f16->f16"};
}

std::string getTiling(unsigned index) {
  return "<m = " + std::to_string(64 * index) + ", n = 128, k = 64>";
}

std::string getLine(const TuningShape &shape, unsigned tiling) {
  return llvm::formatv("{{\"version\": 1, \"target\": \"{0}\", \"kind\": "
                       "\"{1}\", \"key\": \"{2}\", \"mode\": \"serial\", "
                       "\"tilings\": [\"{3}\"], \"us\": {4}.25}",
                       shape.target, shape.kind, shape.key, getTiling(tiling),
                       100 - tiling);
}

/// A database of kShapes shapes with kTilings measurements each.
class Writer {
public:
  explicit Writer(StringRef path) {
    EXPECT_EQ(sqlite3_open(path.str().c_str(), &connection), SQLITE_OK);
  }
  ~Writer() { sqlite3_close(connection); }

  void run(const std::string &sql) {
    char *message = nullptr;
    sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, &message);
    EXPECT_EQ(message, nullptr) << message;
  }

  void fill() {
    run("BEGIN");
    run("PRAGMA application_id = " + std::to_string(kTuningApplicationId));
    run("PRAGMA user_version = " + std::to_string(kTuningSchemaVersion));
    run(kTuningShapesTable);
    run(kTuningMeasurementsTable);
    for (unsigned shape = 0; shape < kShapes; ++shape)
      addShape(shape);
    run("COMMIT");
  }

  /// Writes what has been changed, within the transaction.
  void flush() { EXPECT_EQ(sqlite3_db_cacheflush(connection), SQLITE_OK); }

private:
  void addShape(unsigned index) {
    TuningShape shape = getShape(index);
    run(llvm::formatv("INSERT INTO shapes VALUES ({0}, '{1}', '{2}', '{3}', "
                      "{4})",
                      index + 1, shape.target, shape.kind, shape.key,
                      kTilings));
    for (unsigned tiling = 1; tiling <= kTilings; ++tiling) {
      std::string line = getLine(shape, tiling);
      run(llvm::formatv("INSERT INTO measurements (shape, mode, tilings, line, "
                        "crc32) VALUES ({0}, 'serial', '[\"{1}\"]', '{2}', "
                        "{3})",
                        index + 1, getTiling(tiling), line,
                        llvm::crc32(llvm::arrayRefFromStringRef(line))));
    }
  }

  sqlite3 *connection = nullptr;
};

class TuningDatabaseTest : public testing::Test {
protected:
  TuningDatabaseTest() {
    SmallString<128> name;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("tuning", "db", name));
    path = name.str();
    remover.setFile(path);
  }

  void write(StringRef bytes) {
    std::error_code error;
    llvm::raw_fd_ostream stream(path, error);
    EXPECT_FALSE(error);
    stream << bytes;
  }

  std::string writeDatabase() {
    llvm::sys::fs::remove(path);
    Writer(path).fill();
    return (*llvm::MemoryBuffer::getFile(path))->getBuffer().str();
  }

  /// What look-ups of all shapes, and of one that is not there, find; empty,
  /// with what was said in `errors`, if something was refused.
  std::string readAll() {
    errors.clear();
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      llvm::raw_string_ostream(errors)
          << diagnostic.getLocation() << ": " << diagnostic.str() << "\n";
    });
    auto database = TuningDatabase::open(&context, path);
    std::string found;
    for (unsigned i = 0; succeeded(database) && i <= kShapes; ++i) {
      auto entries = (*database)->find(getShape(i));
      if (failed(entries))
        return "";
      for (const TuningEntry &entry : *entries)
        found += llvm::formatv("{0} {1} {2} {3} {4}\n", i, *entry.mode,
                               llvm::join(entry.tilings, " "),
                               entry.microseconds, entry.place);
    }
    return found;
  }

  /// Either `want` is found, or an error names the file.
  void expectRefusedOr(const std::string &want, const std::string &damage) {
    std::string found = readAll();
    if (found.empty())
      EXPECT_THAT(errors, HasSubstr(path)) << damage;
    else
      EXPECT_EQ(found, want) << damage;
    refused += found.empty();
  }

  void expectRefused(const std::string &why) {
    EXPECT_EQ(readAll(), "");
    EXPECT_THAT(errors, HasSubstr(path));
    EXPECT_THAT(errors, HasSubstr(why));
  }

  MLIRContext context;
  std::string path, errors;
  llvm::FileRemover remover;
  unsigned refused = 0;
};

TEST_F(TuningDatabaseTest, FastestFirst) {
  writeDatabase();
  auto database = TuningDatabase::open(&context, path);
  ASSERT_TRUE(succeeded(database));
  auto entries = (*database)->find(getShape(3));
  ASSERT_TRUE(succeeded(entries));
  ASSERT_EQ(entries->size(), kTilings);
  EXPECT_EQ(entries->front().microseconds, 94.25);
  EXPECT_EQ(entries->front().tilings.front(), getTiling(6));
  EXPECT_TRUE((*database)->find({"h100", "chain", getShape(3).key})->empty());
}

TEST_F(TuningDatabaseTest, FlippedBits) {
  std::string bytes = writeDatabase(), want = readAll();
  ASSERT_NE(want, "") << errors;
  std::mt19937 random(17);
  for (unsigned n = 0; n < 1500; ++n) {
    std::string damaged = bytes;
    // Headers and the schema are small; half of the bits are of these.
    size_t at = random() % (n % 2 ? bytes.size() : size_t{4096});
    unsigned bit = random() % 8;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
    write(damaged);
    expectRefusedOr(want, "bit " + std::to_string(bit) + " of byte " +
                              std::to_string(at));
  }
  EXPECT_GT(refused, 250u);
}

TEST_F(TuningDatabaseTest, OverwrittenPieces) {
  std::string bytes = writeDatabase(), want = readAll();
  std::mt19937 random(18);
  for (unsigned n = 0; n < 500; ++n) {
    std::string damaged = bytes;
    size_t size = 1 + random() % (n % 2 ? 64 : 8192);
    size_t from = random() % bytes.size(), to = random() % bytes.size();
    damaged.replace(to, size, bytes.substr(from, size)).resize(bytes.size());
    write(damaged);
    expectRefusedOr(want,
                    llvm::formatv("{0} bytes from {1} to {2}", size, from, to));
  }
  EXPECT_GT(refused, 250u);
}

TEST_F(TuningDatabaseTest, CutOff) {
  std::string bytes = writeDatabase();
  for (size_t size = 0; size < bytes.size(); size += 509) {
    write(StringRef(bytes).take_front(size));
    EXPECT_EQ(readAll(), "") << size;
    EXPECT_THAT(errors, HasSubstr(path)) << size;
  }
}

TEST_F(TuningDatabaseTest, Strangers) {
  auto change = [&](const std::string &sql) {
    writeDatabase();
    Writer(path).run(sql);
  };
  change("PRAGMA user_version = 2");
  expectRefused("version 2; this compiler reads 1");
  change("PRAGMA application_id = 7");
  expectRefused("it is another program's");
  change("DROP TABLE measurements");
  expectRefused("it lacks the table 'measurements'");
  change("DELETE FROM measurements WHERE id = 5");
  expectRefused("measurements of '64x128x0 f16->f16' are missing");
  change("UPDATE measurements SET line = replace(line, '98.25', '1.25')");
  expectRefused("is not what was written");
}

/// Whoever wrote was killed after pages had been written: there is a journal
/// that undoes that, but not by one who only reads.
TEST_F(TuningDatabaseTest, UnfinishedAddition) {
  writeDatabase();
  Writer writer(path);
  writer.run("BEGIN; UPDATE measurements SET crc32 = 1");
  writer.flush();
  std::string killed = path + ".killed";
  llvm::FileRemover killedRemover(killed);
  ASSERT_FALSE(llvm::sys::fs::copy_file(path, killed));
  ASSERT_FALSE(
      llvm::sys::fs::copy_file(path + "-journal", killed + "-journal"));
  path = killed;
  expectRefused("`grout-tune check` undoes what was not complete");
  Writer(killed).run("SELECT * FROM shapes");
  EXPECT_NE(readAll(), "") << errors;
}

/// What a line of JSON lines can be that is no measurement.
TEST_F(TuningDatabaseTest, WrongLines) {
  const std::pair<const char *, const char *> kWrong[] = {
      {"[1]", "no JSON object"},
      {"{", "no JSON: "},
      {"\xff\xfe", "no JSON: "},
      {R"({"target": "h200"})", "no version; this compiler reads 1"},
      {R"({"version": 1e999})", "no version; this compiler reads 1"},
      {R"({"version": 2})", "version 2; this compiler reads 1"},
      {R"({"version": 1, "kind": "product"})", "'target' must be a string"},
  };
  for (auto [line, why] : kWrong) {
    write(getLine(getShape(1), 2) + "\n\n" + line);
    expectRefused(why);
    EXPECT_THAT(errors, HasSubstr(path + ":3: ")) << line;
  }
}

/// The same line with one thing changed.
TEST_F(TuningDatabaseTest, WrongMembers) {
  const std::pair<std::pair<const char *, std::string>, const char *> kWrong[] =
      {{{"\"product\"", "\"quotient\""}, "unknown kind 'quotient'"},
       {{"\"key\"", "\"no key\""}, "'key' must be a string"},
       {{"\"serial\"", "3"}, "'mode' must be a string"},
       {{"[", "7, \"more\": ["}, "'tilings' must be a list of strings"},
       {{"[", "[7, "}, "'tilings' must be a list of strings"},
       {{"[", "[\"\", "}, "2 tilings for one product"},
       {{"98.25", "\"1\""}, "'us' must be a number above 0"},
       {{"98.25", "-1"}, "'us' must be a number above 0"},
       {{"98.25", "1e999"}, "'us' must be a number above 0"},
       {{"98.25", std::string(400, '9')}, "'us' must be a number above 0"},
       {{"{", "{\"eliminated\": 1, "}, "'eliminated' must be true or false"},
       {{"{", std::string("\0{", 2)}, "no JSON: "},
       {{"\"h200\"", std::string(1000000, '[')}, "nests deeper"}};
  for (const auto &[change, why] : kWrong) {
    std::string line = getLine(getShape(2), 2);
    size_t at = line.find(change.first);
    ASSERT_NE(at, std::string::npos) << change.first;
    line.replace(at, StringRef(change.first).size(), change.second);
    write(line + "\n" + getLine(getShape(1), 2));
    expectRefused(why);
    EXPECT_THAT(errors, HasSubstr(path + ":1: ")) << why;
  }
}

TEST_F(TuningDatabaseTest, WhatIsMeasuredAgainCountsAnew) {
  std::string first = getLine(getShape(0), 1), again = first;
  again.replace(again.find("99.25"), 5, "120");
  std::string eliminated = getLine(getShape(0), 2);
  eliminated.insert(1, "\"eliminated\": true, ");
  write(first + "\n" + getLine(getShape(0), 2) + "\n" + again + "\n" +
        eliminated + "\n");
  EXPECT_EQ(readAll(), "0 serial " + getTiling(1) + " 120.00 " + path + ":3\n");
}

} // namespace
