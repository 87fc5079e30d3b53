//===- DeadOps.cpp - Ops without users ------------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/DeadOps.h"

#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

void grout::eraseDeadOps(Operation *op) {
  op->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *inner) {
    if (isOpTriviallyDead(inner))
      inner->erase();
  });
}
