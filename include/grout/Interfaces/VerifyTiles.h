//===- VerifyTiles.h - Checks of tile kernels -------------------*- C++ -*-===//
//
// Part of Grout. Anybody may implement TileKernelOpInterface, and proofs and
// code rely on its answers. So the functions in this file check the answers,
// and no other code does.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_INTERFACES_VERIFYTILES_H
#define GROUT_INTERFACES_VERIFYTILES_H

#include "grout/Analysis/TileKernel.h"
#include "grout/Interfaces/TileKernelInterface.h"
#include "mlir/IR/BuiltinTypes.h"

namespace grout {

/// Returns `access`, to a tensor of type `type`, as data of the analysis
/// library.
ElementAccess toElementAccess(TileAccess access, mlir::RankedTensorType type);

/// Checks that each answer of `kernel` fits its operands and results: extents,
/// steps, maps, sizes of boxes. Emits an error at the kernel that states the
/// answer, and the expected answer. This takes a few microseconds, and is part
/// of the verifiers of ops that hold kernels. A kernel without a tile shape
/// gives no answers.
mlir::LogicalResult verifyTileAnswers(TileKernelOpInterface kernel);

/// Does the same, and proves that tiles write every element of every result
/// once. Asks the kernel twice: answers that differ are an error.
mlir::LogicalResult verifyTiles(TileKernelOpInterface kernel);

/// Whether tensors choose which elements the tiles of `kernel` write (see
/// TileAccess). False if it has no tile shape yet.
bool hasTilesChosenAtRunTime(TileKernelOpInterface kernel);

} // namespace grout

#endif // GROUT_INTERFACES_VERIFYTILES_H
