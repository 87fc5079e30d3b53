//===- AllReduceBody.h - collective.all_reduce on CPUs ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COLLECTIVETOCPU_ALLREDUCEBODY_H
#define GROUT_CONVERSION_COLLECTIVETOCPU_ALLREDUCEBODY_H

#include "grout/Conversion/TGemmToCPU/TileBodyGenerator.h"

namespace grout::cpu {

/// Makes the single tile of an all-reduce. The tile gives its operand to all
/// ranks, and adds up what all ranks have given.
class AllReduceBody : public TileBodyGenerator {
public:
  bool handles(mlir::Operation *kernel) const override;
  mlir::LogicalResult emit(TileKernelOpInterface kernel, LaunchTensors &tensors,
                           const SemaphoreLayout &layout,
                           CPUTileBody &body) const override;
  launch::ExchangeAttr getExchange(mlir::Operation *kernel) const override;
};

} // namespace grout::cpu

#endif // GROUT_CONVERSION_COLLECTIVETOCPU_ALLREDUCEBODY_H
