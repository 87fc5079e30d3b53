//===- TileDependence.h - Which tiles read which ----------------*- C++ -*-===//
//
// Part of Grout. Derives tile dependences from access relations.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ANALYSIS_TILEDEPENDENCE_H
#define GROUT_ANALYSIS_TILEDEPENDENCE_H

#include "grout/Analysis/AccessRelation.h"

namespace grout {

/// Which tiles of `producer` a tile of `consumer` reads through `operand`.
struct TileDependence {
  /// Positions of the kernels in their program.
  unsigned producer = 0, consumer = 0;
  /// Position of the operand of the consumer.
  unsigned operand = 0;
  /// { consumer[tile..., step] -> producer[tile...] }, exact.
  Relation relation;
};

/// Composes `read`, { consumer[tile, step] -> element }, with the inverse of
/// `write`, { producer[tile] -> element }. The cost does not depend on the
/// number of tiles. Fails with UnwrittenRead if a tile reads an element that no
/// tile writes, and with DoubleWrite if two tiles write the same element; the
/// error names an element.
llvm::Expected<TileDependence>
deriveDependence(unsigned producer, unsigned consumer, unsigned operand,
                 const Relation &write, const Relation &read);

/// Derives the same between two kernels, from their accesses to a root tensor.
llvm::Expected<TileDependence>
deriveDependence(const IslContext &context, unsigned producer,
                 const TileKernel &producerKernel, const ElementAccess &write,
                 unsigned consumer, const TileKernel &consumerKernel,
                 unsigned operand, const ElementAccess &read);

/// Returns the union of two dependences between the same kernels, so that one
/// wait serves both operands (for example, the gate and the up half of one
/// producer).
llvm::Expected<TileDependence> mergeDependences(const TileDependence &first,
                                                const TileDependence &second);

/// Checks that no two tiles write the same element. Otherwise fails with
/// DoubleWrite, and names an element and both tiles.
llvm::Error checkSingleWriter(const Relation &write);

/// Checks that each element that `read` reaches is written by one of `writes`.
/// Otherwise fails with UnwrittenRead, and names an element and a tile that
/// reads it.
llvm::Error checkAllWritten(const Relation &read,
                            llvm::ArrayRef<Relation> writes);

} // namespace grout

#endif // GROUT_ANALYSIS_TILEDEPENDENCE_H
