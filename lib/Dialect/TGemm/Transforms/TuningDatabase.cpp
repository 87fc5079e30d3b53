//===- TuningDatabase.cpp - Measured times of tilings ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TuningDatabase.h"

#include "TuningJSONLines.h"
#include "TuningSQLite.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// How a SQLite database begins. JSON lines do not.
static constexpr StringRef kMagic("SQLite format 3\0", 16);

FailureOr<std::unique_ptr<TuningDatabase>>
TuningDatabase::open(MLIRContext *context, StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  auto fail = [&](const Twine &problem) {
    return emitError(UnknownLoc::get(context))
           << "cannot read the tuning database '" << path << "': " << problem;
  };
  if (!buffer)
    return fail(buffer.getError().message());
  StringRef text = (*buffer)->getBuffer();
  if (text.empty())
    return fail("it is empty");
  if (text.starts_with(kMagic))
    return openTuningSQLite(context, path);
  return readTuningJSONLines(context, path, text);
}

FailureOr<TuningDatabase::Entries>
TuningDatabase::find(const TuningShape &shape) {
  FailureOr<Entries> added = read(shape);
  if (failed(added))
    return failure();
  Entries entries;
  for (TuningEntry &entry : *added) {
    // A later measurement of the same tilings replaces an earlier one.
    llvm::erase_if(entries, [&](const TuningEntry &old) {
      return old.mode == entry.mode && old.tilings == entry.tilings;
    });
    entries.push_back(std::move(entry));
  }
  llvm::erase_if(entries,
                 [](const TuningEntry &entry) { return entry.isEliminated; });
  llvm::stable_sort(entries, [](const TuningEntry &a, const TuningEntry &b) {
    return a.microseconds < b.microseconds;
  });
  return entries;
}
