//===- FuzzedOrder.h - Tile orders and policies of users --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_OUTSIDERS_FUZZEDORDER_H
#define GROUT_UNITTESTS_OUTSIDERS_FUZZEDORDER_H

#include "mlir/IR/BuiltinOps.h"
#include <random>

namespace grout::test {

/// Gives a chain of `module`, if it has any, another tile order, or one of its
/// dependences other semaphores, as a user does who edits them. That may be
/// harmless. All attributes are such that they can be parsed.
void changeOrder(mlir::ModuleOp module, std::mt19937 &random);

} // namespace grout::test

#endif // GROUT_UNITTESTS_OUTSIDERS_FUZZEDORDER_H
