//===- TuningEntry.cpp - A measurement of tilings -------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TuningEntry.h"

#include "llvm/Support/JSON.h"
#include <cmath>

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// The version of the format that this reader knows.
static constexpr int64_t kVersion = 1;

/// An entry is an object that contains lists.
static constexpr unsigned kMaxNesting = 2;

namespace {

/// Reads the members of a line; `problem` describes the first one that is
/// wrong.
class LineReader {
public:
  LineReader(const llvm::json::Object &object) : object(object) {}

  std::string getString(StringRef name) {
    std::optional<StringRef> value = object.getString(name);
    if (!value)
      fail("'" + name.str() + "' must be a string");
    return value ? value->str() : "";
  }

  bool getFlag(StringRef name) {
    const llvm::json::Value *value = object.get(name);
    if (value && !value->getAsBoolean())
      fail("'" + name.str() + "' must be true or false");
    return value && value->getAsBoolean().value_or(false);
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

/// Returns how deep the brackets outside of strings nest, if `text` is JSON.
static unsigned getNesting(StringRef text) {
  unsigned depth = 0, deepest = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == '{'))
      deepest = std::max(deepest, ++depth);
    else if (!inString && (c == ']' || c == '}') && depth)
      --depth;
  }
  return deepest;
}

/// Describes the problem with the version of a line; empty if there is none.
static std::string findVersionProblem(const llvm::json::Object &object) {
  std::optional<int64_t> version = object.getInteger("version");
  if (version == kVersion)
    return "";
  return (version ? "version " + std::to_string(*version)
                  : std::string("no version")) +
         "; this compiler reads " + std::to_string(kVersion);
}

/// Describes the problem with a measurement whose members have the right types;
/// empty if there is none.
static std::string findProblem(const TuningShape &shape,
                               const TuningEntry &entry) {
  if (shape.kind != "product" && shape.kind != "chain")
    return "unknown kind '" + shape.kind + "'";
  if (shape.kind == "product" && entry.tilings.size() != 1)
    return std::to_string(entry.tilings.size()) + " tilings for one product";
  return "";
}

llvm::Expected<std::pair<TuningShape, TuningEntry>>
tgemm::parseTuningLine(StringRef text, std::string place) {
  if (getNesting(text) > kMaxNesting)
    return llvm::createStringError("nests deeper than a measurement does");
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return llvm::createStringError("no JSON: " +
                                   llvm::toString(value.takeError()));
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return llvm::createStringError("no JSON object");
  if (std::string problem = findVersionProblem(*object); !problem.empty())
    return llvm::createStringError(problem);
  LineReader reader(*object);
  TuningShape shape = {reader.getString("target"), reader.getString("kind"),
                       reader.getString("key")};
  TuningEntry entry = {tsync::symbolizeMode(reader.getString("mode")),
                       reader.getStrings("tilings"), reader.getTime("us"),
                       reader.getFlag("eliminated"), std::move(place)};
  std::string problem =
      reader.problem.empty() ? findProblem(shape, entry) : reader.problem;
  if (!problem.empty())
    return llvm::createStringError(problem);
  return std::pair(std::move(shape), std::move(entry));
}
