//===- MeasuredTilings.cpp - Tilings from a tuning database ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "MeasuredTilings.h"

#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include "grout/Dialect/TGemm/Transforms/TuningKey.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// Warnings show at most this many characters of a text that is not a tiling.
static constexpr size_t kMaxShown = 120;

/// Whether `text` has the brackets of a tiling, and no other brackets, for
/// which MLIR's parser would recurse.
static bool isBracketed(StringRef text) {
  return text.starts_with("<") && text.ends_with(">") &&
         text.find_first_of("<>()[]{}", 1) == text.size() - 1;
}

/// Parses the tiling of which `text` is the part after `#tgemm.tiling`.
static llvm::Expected<TilingAttr> parseTiling(StringRef text,
                                              MLIRContext *context) {
  if (!isBracketed(text))
    return llvm::createStringError("it must be in one pair of angle brackets");
  std::string problem;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (problem.empty())
      problem = diagnostic.str();
    return success();
  });
  Attribute attribute = parseAttribute(("#tgemm.tiling" + text).str(), context);
  if (auto tiling = dyn_cast_if_present<TilingAttr>(attribute))
    return tiling;
  return llvm::createStringError(problem.empty() ? "it is something else"
                                                 : problem);
}

/// Returns the tilings of `entry` for `ops`. Returns none, with a warning, if
/// they are wrong; and none if `ops` already have other tilings.
static std::optional<MeasuredTilings>
getTilings(const TuningEntry &entry, ArrayRef<ProductOpInterface> ops,
           const Target &target) {
  auto warn = [&](const Twine &problem) {
    emitWarning(ops.front()->getLoc(), "measurement ")
        << entry.place << " is left out: " << problem;
    return std::nullopt;
  };
  if (entry.tilings.size() != ops.size())
    return warn(Twine(entry.tilings.size()) + " tilings for " +
                Twine(ops.size()) + " products");
  MeasuredTilings measured = {entry, {}};
  const auto &model = *target.getInterface<ProductModel>();
  for (auto [op, text] : llvm::zip_equal(ops, entry.tilings)) {
    ProductOpInterface matmul = op;
    llvm::Expected<TilingAttr> tiling = parseTiling(text, matmul.getContext());
    if (!tiling)
      return warn("no tiling '" + StringRef(text).take_front(kMaxShown) +
                  "': " + llvm::toString(tiling.takeError()));
    if (std::optional<TilingAttr> given = matmul.getTiling();
        given && *given != *tiling)
      return std::nullopt;
    std::string problem = model.findProblem(matmul, *tiling);
    if (!problem.empty())
      return warn("tiling '" + Twine(text) + "' " + problem);
    measured.tilings.push_back(*tiling);
  }
  if (entry.mode && isOneLaunch(*entry.mode) &&
      !model.canShareKernel(ops, measured.tilings))
    return warn("its tilings do not go together in one kernel");
  return measured;
}

/// Returns the fastest of `entries` in one of `modes`, or in any mode if
/// `modes` is empty.
static std::optional<MeasuredTilings>
findFastest(ArrayRef<TuningEntry> entries, ArrayRef<ProductOpInterface> ops,
            ArrayRef<tsync::Mode> modes, const Target &target) {
  for (const TuningEntry &entry : entries)
    if (modes.empty() || (entry.mode && llvm::is_contained(modes, *entry.mode)))
      if (auto measured = getTilings(entry, ops, target))
        return measured;
  return std::nullopt;
}

FailureOr<std::optional<MeasuredTilings>>
tgemm::findMeasured(ProductOpInterface op, TuningDatabase &database,
                    const Target &target) {
  auto entries =
      database.find({target.getName().str(), "product", getProductKey(op)});
  if (failed(entries))
    return failure();
  return findFastest(*entries, op, /*modes=*/{}, target);
}

FailureOr<std::optional<MeasuredTilings>>
tgemm::findMeasured(ArrayRef<ProductOpInterface> ops,
                    ArrayRef<tsync::Mode> modes, TuningDatabase &database,
                    const Target &target) {
  auto entries =
      database.find({target.getName().str(), "chain", getChainKey(ops)});
  if (failed(entries))
    return failure();
  return findFastest(*entries, ops, modes, target);
}
