//===- EpilogueCone.cpp - The ops of a tgemm.matmul -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "EpilogueCone.h"

#include "EpilogueBuilder.h"
#include "grout/Conversion/Common/Accumulation.h"
#include "grout/Conversion/Common/ElementwiseBody.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"
#include <optional>

#define DEBUG_TYPE "convert-linalg-to-tgemm"

using namespace mlir;
using namespace grout;

/// Whether `op` computes each element from the elements of `values` at the same
/// coordinates, and from other tensors. `values` are indexed like the result of
/// the cone.
static bool canJoin(linalg::LinalgOp op, const DenseSet<Value> &values) {
  return isElementwise(op) &&
         llvm::all_of(getReads(op), [&](const ElementRead &read) {
           return values.contains(read.operand->get())
                      ? read.map.isIdentity()
                      : canReadInEpilogue(read.operand->get(), read.map);
         });
}

/// Returns the largest cone over exactly `products`, if they are combined into
/// one result. Adds ops in the order of the block. The cone may end at any op
/// whose result is the only value of the cone that is used outside.
static std::optional<EpilogueCone>
growConeOver(ArrayRef<const Contraction *> products) {
  DenseSet<Value> values;
  // The elementwise ops. A product from which another one starts, or that
  // another one multiplies, must be stored.
  DenseSet<Operation *> members;
  for (const Contraction *product : products)
    values.insert(product->op->getResult(0));
  auto canEndWith = [&](Value newest) {
    if (!isGemmFloat(getElementTypeOrSelf(newest.getType())))
      return false;
    return llvm::all_of(values, [&](Value value) {
      return value == newest ||
             (!value.use_empty() &&
              llvm::all_of(value.getUsers(), [&](Operation *user) {
                return members.contains(user);
              }));
    });
  };

  EpilogueCone cone;
  cone.products.assign(products.begin(), products.end());
  size_t numOps = 0;
  if (products.size() == 1)
    cone.result = products.front()->op->getResult(0);
  for (Operation *op = products.front()->op->getNextNode(); op;
       op = op->getNextNode()) {
    auto isInCone = [&](Value value) { return values.contains(value); };
    if (llvm::none_of(op->getOperands(), isInCone))
      continue;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    // A value that an op outside uses must be stored, and the cone ends there.
    if (!linalgOp || !canJoin(linalgOp, values)) {
      LDBG() << "an epilogue ends before " << op->getName() << " at "
             << op->getLoc()
             << (linalgOp ? ", which needs more than elements at one place"
                          : ", for which its result is stored");
      break;
    }
    cone.ops.push_back(linalgOp);
    members.insert(op);
    values.insert(op->getResult(0));
    if (canEndWith(op->getResult(0))) {
      cone.result = op->getResult(0);
      numOps = cone.ops.size();
    }
  }
  if (!cone.result)
    return std::nullopt;
  cone.ops.truncate(numOps);
  return cone;
}

/// Collects the contractions from which elementwise ops compute `value`.
static void collectProducts(Value value, const ContractionMap &contractions,
                            llvm::SetVector<Operation *> &visited,
                            SmallVectorImpl<const Contraction *> &found) {
  Operation *op = value.getDefiningOp();
  if (!op || !visited.insert(op))
    return;
  if (const auto *it = contractions.find(op); it != contractions.end()) {
    found.push_back(&it->second);
    return;
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (linalgOp && isElementwise(linalgOp))
    for (const ElementRead &read : getReads(linalgOp))
      collectProducts(read.operand->get(), contractions, visited, found);
}

/// Returns a cone over the products of `cone` and one more, if there is one.
static std::optional<EpilogueCone>
widenCone(const EpilogueCone &cone, const ContractionMap &contractions) {
  llvm::SetVector<Operation *> visited;
  SmallVector<const Contraction *> candidates;
  for (linalg::LinalgOp op : cone.ops)
    for (const ElementRead &read : getReads(op))
      collectProducts(read.operand->get(), contractions, visited, candidates);
  for (const Contraction *candidate : candidates) {
    if (llvm::is_contained(cone.products, candidate) ||
        !candidate->canShareTilesWith(*cone.products.front()))
      continue;
    SmallVector<const Contraction *> products(cone.products);
    products.push_back(candidate);
    llvm::sort(products, [](const Contraction *a, const Contraction *b) {
      return a->op->isBeforeInBlock(b->op);
    });
    if (std::optional<EpilogueCone> wider = growConeOver(products))
      return wider;
  }
  return std::nullopt;
}

EpilogueCone grout::growCone(const Contraction &product,
                             const ContractionMap &contractions) {
  EpilogueCone cone = *growConeOver({&product});
  while (std::optional<EpilogueCone> wider = widenCone(cone, contractions))
    cone = std::move(*wider);
  return cone;
}
