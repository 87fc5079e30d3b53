//===- VerifyTiles.h - What tile kernels answer is checked ------*- C++ -*-===//
//
// Part of Grout. TileKernelOpInterface may be implemented by anybody, and
// proofs and code are made of what it answers. So answers are checked, here
// and nowhere else.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_INTERFACES_VERIFYTILES_H
#define GROUT_INTERFACES_VERIFYTILES_H

#include "grout/Analysis/TileKernel.h"
#include "grout/Interfaces/TileKernelInterface.h"
#include "mlir/IR/BuiltinTypes.h"

namespace grout {

/// The accesses of `access` to a tensor of type `type`, as the analysis library
/// takes them.
ElementAccess toElementAccess(TileAccess access, mlir::RankedTensorType type);

/// Checks that each answer of `kernel` fits its operands and results: extents,
/// steps, maps, sizes of boxes. Emits an error at the kernel that says what was
/// answered, and what was expected. Takes a few microseconds, and is part of
/// the verifiers of ops that have kernels in them. A kernel without a tile
/// shape has no answers.
mlir::LogicalResult verifyTileAnswers(TileKernelOpInterface kernel);

/// The same, and a proof that tiles write every element of every result once.
/// Asks the kernel twice: answers that differ are an error.
mlir::LogicalResult verifyTiles(TileKernelOpInterface kernel);

} // namespace grout

#endif // GROUT_INTERFACES_VERIFYTILES_H
