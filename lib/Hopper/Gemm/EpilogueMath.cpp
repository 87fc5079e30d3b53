//===- EpilogueMath.cpp - Math ops that epilogues may have ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "EpilogueMath.h"

#include "grout/Conversion/Common/Accumulation.h"
#include "grout/Support/ElementTypes.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// Whether `op`, on scalars, has a lowering in emitDeviceOp or in the kernel
/// pipeline.
static bool isSupported(Operation &op) {
  if (isa<arith::ArithDialect>(op.getDialect()))
    return true;
  return isa<math::AbsFOp, math::AcosOp, math::AcoshOp, math::AsinOp,
             math::AsinhOp, math::AtanOp, math::Atan2Op, math::AtanhOp,
             math::CbrtOp, math::CeilOp, math::CopySignOp, math::CosOp,
             math::CoshOp, math::ErfOp, math::ErfcOp, math::ExpOp, math::Exp2Op,
             math::ExpM1Op, math::FloorOp, math::FmaOp, math::FPowIOp,
             math::LogOp, math::Log10Op, math::Log1pOp, math::Log2Op,
             math::PowFOp, math::RoundOp, math::RoundEvenOp, math::RsqrtOp,
             math::SinOp, math::SinhOp, math::SqrtOp, math::TanOp, math::TanhOp,
             math::TruncOp>(op);
}

/// Whether kernels compute with values of `type`. f64 would work, but slowly
/// and without notice.
static bool isSupported(Type type) {
  return isGemmFloat(type) || type.isIntOrIndex();
}

LogicalResult hopper::checkEpilogue(tgemm::ProductOpInterface op) {
  if (op.getEpilogue().empty())
    return success();
  for (Operation &inner : op.getEpilogue().front().without_terminator())
    if (!isSupported(inner) ||
        !llvm::all_of(inner.getResultTypes(),
                      [](Type type) { return isSupported(type); })) {
      InFlightDiagnostic diag = emitTargetError(op)
                                << "its epilogue has '" << inner.getName()
                                << "', which it cannot have";
      if (isSupported(inner))
        diag.attachNote(inner.getLoc())
            << "the op makes " << inner.getResultTypes()
            << "; epilogues compute in "
            << llvm::join(getFloatNames(/*maxBytes=*/4), ", ")
            << " and integers";
      else
        diag.attachNote(inner.getLoc())
            << "epilogues compute with arith and most of math; write the op "
               "with those";
      return diag;
    }
  return success();
}
