//===- EpilogueMath.h - Math ops that epilogues may have --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_EPILOGUEMATH_H
#define GROUT_LIB_HOPPER_GEMM_EPILOGUEMATH_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Hopper/Kit/DeviceBuilder.h"

namespace grout::hopper {

/// Checks that every op of the epilogue of `op` has a lowering.
mlir::LogicalResult checkEpilogue(tgemm::ProductOpInterface op);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_EPILOGUEMATH_H
