//===- TuningDatabase.cpp - Measured times of tilings ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TuningDatabase.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// The version of the format that is read.
static constexpr int64_t kVersion = 1;

namespace {

/// A line, as far as the compiler needs it.
struct Line {
  std::string target, kind, key;
  bool eliminated = false;
  TuningEntry entry;
};

/// Reads the members of a line; `problem` says what is wrong with one.
class LineReader {
public:
  LineReader(const llvm::json::Object &object) : object(object) {}

  std::string getString(StringRef name) {
    std::optional<StringRef> value = object.getString(name);
    if (!value)
      fail("'" + name.str() + "' must be a string");
    return value ? value->str() : "";
  }

  double getTime(StringRef name) {
    std::optional<double> value = object.getNumber(name);
    if (!value || !(*value > 0) || !std::isfinite(*value))
      fail("'" + name.str() + "' must be a number above 0");
    return value.value_or(0);
  }

  std::vector<std::string> getStrings(StringRef name) {
    std::vector<std::string> strings;
    const llvm::json::Array *array = object.getArray(name);
    for (const llvm::json::Value &value : array ? *array : llvm::json::Array())
      if (std::optional<StringRef> string = value.getAsString())
        strings.push_back(string->str());
    if (!array || array->empty() || strings.size() != array->size())
      fail("'" + name.str() + "' must be a list of strings");
    return strings;
  }

  std::string problem;

private:
  void fail(const std::string &text) {
    if (problem.empty())
      problem = text;
  }

  const llvm::json::Object &object;
};

} // namespace

/// Reads what is in `text`, or returns nothing and says in `problem` why.
static std::optional<Line> parseLine(StringRef text, FileLineColLoc loc,
                                     std::string &problem) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    problem = "no JSON: " + llvm::toString(value.takeError());
    return {};
  }
  const llvm::json::Object *object = value->getAsObject();
  if (!object) {
    problem = "no JSON object";
    return {};
  }
  std::optional<int64_t> version = object->getInteger("version");
  if (version != kVersion) {
    problem = (version ? "version " + std::to_string(*version)
                       : std::string("no version")) +
              "; this compiler reads " + std::to_string(kVersion);
    return {};
  }
  LineReader reader(*object);
  Line line = {reader.getString("target"),
               reader.getString("kind"),
               reader.getString("key"),
               object->getBoolean("eliminated").value_or(false),
               {reader.getString("mode"), reader.getStrings("tilings"),
                reader.getTime("us"), loc}};
  problem = reader.problem;
  if (problem.empty() && line.kind != "product" && line.kind != "chain")
    problem = "unknown kind '" + line.kind + "'";
  if (problem.empty() && line.kind == "product" &&
      line.entry.tilings.size() != 1)
    problem =
        std::to_string(line.entry.tilings.size()) + " tilings for one product";
  if (!problem.empty())
    return {};
  return line;
}

/// Removes what was measured before of the same as `entry`.
static void remove(std::vector<TuningEntry> &entries,
                   const TuningEntry &entry) {
  llvm::erase_if(entries, [&](const TuningEntry &old) {
    return old.mode == entry.mode && old.tilings == entry.tilings;
  });
}

FailureOr<TuningDatabase>
TuningDatabase::read(MLIRContext *context, StringRef path, StringRef target) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return emitError(UnknownLoc::get(context))
           << "cannot read the tuning database '" << path
           << "': " << buffer.getError().message();
  TuningDatabase database;
  for (llvm::line_iterator it(**buffer); !it.is_at_end(); ++it) {
    auto loc = FileLineColLoc::get(context, path, it.line_number(), 1);
    std::string problem;
    std::optional<Line> line = parseLine(*it, loc, problem);
    if (!line) {
      emitWarning(loc) << "entry is left out: " << problem;
      continue;
    }
    if (line->target != target)
      continue;
    std::vector<TuningEntry> &entries =
        (line->kind == "chain" ? database.chains
                               : database.products)[line->key];
    remove(entries, line->entry);
    // What was eliminated early was measured too seldom to compare.
    if (!line->eliminated)
      entries.push_back(std::move(line->entry));
  }
  for (Entries *entries : {&database.products, &database.chains})
    for (auto &entry : *entries)
      llvm::stable_sort(entry.second,
                        [](const TuningEntry &a, const TuningEntry &b) {
                          return a.microseconds < b.microseconds;
                        });
  return database;
}

ArrayRef<TuningEntry> TuningDatabase::find(const Entries &entries,
                                           StringRef key) {
  auto it = entries.find(key);
  if (it == entries.end())
    return {};
  return it->second;
}
