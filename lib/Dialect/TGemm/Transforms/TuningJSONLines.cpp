//===- TuningJSONLines.cpp - Measurements as JSON lines -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TuningJSONLines.h"

#include "mlir/IR/Diagnostics.h"
#include <map>
#include <tuple>

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

namespace {

struct ShapeLess {
  bool operator()(const TuningShape &a, const TuningShape &b) const {
    return std::tie(a.target, a.kind, a.key) <
           std::tie(b.target, b.kind, b.key);
  }
};

class JSONLines : public TuningDatabase {
public:
  llvm::Error addLine(StringRef text, std::string place) {
    auto line = parseTuningLine(text, std::move(place));
    if (!line)
      return line.takeError();
    entries[line->first].push_back(std::move(line->second));
    return llvm::Error::success();
  }

private:
  FailureOr<Entries> read(const TuningShape &shape) override {
    auto it = entries.find(shape);
    return it == entries.end() ? Entries() : it->second;
  }

  std::map<TuningShape, Entries, ShapeLess> entries;
};

} // namespace

FailureOr<std::unique_ptr<TuningDatabase>>
tgemm::readTuningJSONLines(MLIRContext *context, StringRef path,
                           StringRef text) {
  auto lines = std::make_unique<JSONLines>();
  for (unsigned number = 1; !text.empty(); ++number) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (line.trim().empty())
      continue;
    std::string place = (path + ":" + Twine(number)).str();
    // The diagnostic has no location in the file: it would print the line,
    // which may contain anything.
    if (llvm::Error error = lines->addLine(line, place))
      return emitError(UnknownLoc::get(context))
             << place
             << ": not a measurement: " << llvm::toString(std::move(error));
  }
  return std::unique_ptr<TuningDatabase>(std::move(lines));
}
