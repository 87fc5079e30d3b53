//===- FuzzTuningDatabase.cpp - Any bytes as a tuning database ------------===//
//
// Part of Grout. JSON lines, or what begins like a database of SQLite: a
// refusal is an error in valid text that names the file, and what is read is in
// order.
//
//===----------------------------------------------------------------------===//

#include "TuningDatabase.h"
#include "TuningJSONLines.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/JSON.h"

#include <cmath>
#include <cstdio>

using namespace mlir;
using namespace grout::tgemm;

/// In the folder that the fuzzer runs in; each database is written anew. Lines
/// need no file, which takes most of the time.
static constexpr llvm::StringLiteral kPath = "fuzz-tuning.db";

/// Of lines of test/attack/attacks/databases.py.
static const TuningShape kShape = {"h200", "product", "64x64x64 f16->f16"};

/// LLVM's allocators poison what they have not given away, in code of headers
/// that is instrumented here, and give it away in libraries that are not.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0";
}

/// Writes the file that is removed when all is over.
static void writeInput(llvm::StringRef bytes) {
  static const int registered = std::atexit([] { std::remove(kPath.data()); });
  std::FILE *file = registered == 0 ? std::fopen(kPath.data(), "wb") : nullptr;
  if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size())
    llvm::report_fatal_error("cannot write the input");
  std::fclose(file);
}

/// Shapes that may be in `text`.
static std::vector<TuningShape> getShapes(llvm::StringRef text) {
  std::vector<TuningShape> shapes = {kShape};
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    auto entry = parseTuningLine(line, "");
    if (entry)
      shapes.push_back(entry->first);
    else if (llvm::toString(entry.takeError()).empty())
      llvm::report_fatal_error("a line is refused without a reason");
  }
  return shapes;
}

static void check(const TuningDatabase::Entries &entries) {
  double last = 0;
  for (const TuningEntry &entry : entries) {
    if (!(entry.microseconds >= last) || !std::isfinite(entry.microseconds) ||
        entry.tilings.empty() || entry.isEliminated)
      llvm::report_fatal_error("what is found is no measurement that compares");
    last = entry.microseconds;
  }
}

static FailureOr<std::unique_ptr<TuningDatabase>> open(MLIRContext &context,
                                                       llvm::StringRef bytes) {
  if (!bytes.starts_with("SQLite"))
    return readTuningJSONLines(&context, kPath, bytes);
  writeInput(bytes);
  return TuningDatabase::open(&context, kPath);
}

/// Whether all of the input could be read.
static bool readInput(MLIRContext &context, llvm::StringRef text) {
  FailureOr<std::unique_ptr<TuningDatabase>> database = open(context, text);
  if (failed(database))
    return false;
  for (const TuningShape &shape : getShapes(text)) {
    FailureOr<TuningDatabase::Entries> entries = (*database)->find(shape);
    if (failed(entries))
      return false;
    check(*entries);
  }
  return true;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static MLIRContext context(MLIRContext::Threading::DISABLED);
  std::string said;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { said += diagnostic.str(); });
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  if (readInput(context, text) != said.empty())
    llvm::report_fatal_error("a refusal is an error, and nothing else is one");
  if (!said.empty() && !llvm::StringRef(said).contains(kPath))
    llvm::report_fatal_error("an error does not name the file");
  if (!llvm::json::isUTF8(said))
    llvm::report_fatal_error("an error is no text");
  return 0;
}
