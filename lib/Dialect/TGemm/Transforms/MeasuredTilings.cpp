//===- MeasuredTilings.cpp - Tilings from a tuning database ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "MeasuredTilings.h"

#include "grout/Dialect/TGemm/Transforms/TilingChoice.h"
#include "grout/Dialect/TGemm/Transforms/TilingLimits.h"
#include "grout/Dialect/TGemm/Transforms/TuningKey.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// The attribute that `text` is the end of; null, with the reason in `problem`,
/// if there is none.
static TilingAttr parseTiling(StringRef text, MLIRContext *context,
                              std::string &problem) {
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (problem.empty())
      problem = diagnostic.str();
    return success();
  });
  Attribute attribute = parseAttribute(("#tgemm.tiling" + text).str(), context);
  auto tiling = dyn_cast_if_present<TilingAttr>(attribute);
  if (!tiling && problem.empty())
    problem = "it is something else";
  return tiling;
}

/// The tilings of `entry` for `ops`. Warns if a line is wrong: then, and if ops
/// have others, there are none.
static std::optional<MeasuredTilings> getTilings(const TuningEntry &entry,
                                                 ArrayRef<MatmulOp> ops,
                                                 const TargetSpec &target) {
  auto warn = [&](const Twine &problem) {
    emitWarning(entry.loc) << "entry is left out: " << problem;
    return std::nullopt;
  };
  if (entry.tilings.size() != ops.size())
    return warn(Twine(entry.tilings.size()) + " tilings for " +
                Twine(ops.size()) + " products");
  MeasuredTilings measured = {&entry, {}};
  for (auto [op, text] : llvm::zip_equal(ops, entry.tilings)) {
    MatmulOp matmul = op;
    std::string problem;
    TilingAttr tiling = parseTiling(text, matmul.getContext(), problem);
    if (!tiling)
      return warn("no tiling '" + Twine(text) + "': " + problem);
    if (std::optional<TilingAttr> given = matmul.getTiling();
        given && *given != tiling)
      return std::nullopt;
    problem = findTilingProblem(matmul, tiling, target);
    if (!problem.empty())
      return warn("tiling '" + Twine(text) + "' " + problem);
    measured.tilings.push_back(tiling);
  }
  if (entry.mode == "persistent" && target.isGPU &&
      !canShareKernel(ops, measured.tilings))
    return warn("its tilings do not go together in one kernel");
  return measured;
}

std::optional<MeasuredTilings>
tgemm::findMeasured(MatmulOp op, const TuningDatabase &database,
                    const TargetSpec &target) {
  for (const TuningEntry &entry : database.findProduct(getProductKey(op)))
    if (auto measured = getTilings(entry, op, target))
      return measured;
  return std::nullopt;
}

std::optional<MeasuredTilings>
tgemm::findMeasured(ArrayRef<MatmulOp> ops, ArrayRef<StringRef> modes,
                    const TuningDatabase &database, const TargetSpec &target) {
  for (const TuningEntry &entry : database.findChain(getChainKey(ops)))
    if (llvm::is_contained(modes, entry.mode))
      if (auto measured = getTilings(entry, ops, target))
        return measured;
  return std::nullopt;
}
