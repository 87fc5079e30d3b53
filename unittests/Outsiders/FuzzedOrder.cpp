//===- FuzzedOrder.cpp - Tile orders and policies of users ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "FuzzedOrder.h"

#include "grout/Dialect/TSync/IR/TSync.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace grout;
using namespace grout::test;

/// Any function of the dimensions of `map`.
static AffineExpr drawExpr(AffineMap map, std::mt19937 &random) {
  MLIRContext *context = map.getContext();
  AffineExpr expr =
      getAffineConstantExpr(static_cast<int64_t>(random() % 5) - 2, context);
  for (unsigned dim = 0; dim != map.getNumDims(); ++dim) {
    AffineExpr term = getAffineDimExpr(dim, context);
    switch (random() % 8) {
    case 0:
      term = term.floorDiv(1 + random() % 4);
      break;
    case 1:
      term = term % (1 + random() % 4);
      break;
    case 2:
      term = term * (INT64_MAX - 1);
      break;
    default:
      term = term * (static_cast<int64_t>(random() % 5) - 2);
    }
    expr = expr + term;
  }
  return expr;
}

/// `map` with another function as one of its results.
static AffineMap changeResult(AffineMap map, std::mt19937 &random) {
  SmallVector<AffineExpr> results(map.getResults());
  if (results.empty())
    return map;
  AffineExpr &result = results[random() % results.size()];
  result = random() % 2 == 0 ? result + (random() % 2 == 0 ? 1 : -1)
                             : drawExpr(map, random);
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

static void changeOrder(tsync::ChainOp chain, std::mt19937 &random) {
  auto maps = llvm::map_to_vector(*chain.getOrder(), [](Attribute map) {
    return cast<AffineMapAttr>(map).getValue();
  });
  AffineMap &map = maps[random() % maps.size()];
  switch (random() % 6) {
  case 0:
    std::reverse(maps.begin(), maps.end());
    break;
  case 1: {
    // Kernels change places in time.
    AffineMap &other = maps[random() % maps.size()];
    AffineExpr time = other.getResult(0);
    SmallVector<AffineExpr> results(map.getResults());
    results[0] = time;
    map = AffineMap::get(map.getNumDims(), 0, results, map.getContext());
    break;
  }
  case 2:
    map = AffineMap::getMultiDimIdentityMap(map.getNumDims() + 1,
                                            map.getContext());
    break;
  case 3:
    maps.pop_back();
    break;
  default:
    map = changeResult(map, random);
  }
  chain.setOrderAttr(Builder(chain.getContext()).getAffineMapArrayAttr(maps));
}

static void changePolicy(tsync::DependenceOp dependence, std::mt19937 &random) {
  tsync::PolicyAttr policy = *dependence.getPolicy();
  AffineMap semaphore = policy.getSemaphore(), lower = policy.getLower(),
            upper = policy.getUpper();
  SmallVector<int64_t> counts(policy.getCounts()), shape(policy.getShape());
  switch (random() % 6) {
  case 0:
    counts[random() % counts.size()] += random() % 2 == 0 ? 1 : -1;
    break;
  case 1:
    semaphore = changeResult(semaphore, random);
    break;
  case 2:
    lower = changeResult(lower, random);
    break;
  case 3:
    upper = changeResult(upper, random);
    break;
  case 4:
    std::swap(lower, upper);
    break;
  case 5:
    if (!shape.empty())
      ++shape[random() % shape.size()];
    break;
  }
  // What cannot be parsed is no case.
  ScopedDiagnosticHandler handler(dependence.getContext(),
                                  [](Diagnostic &) { return success(); });
  AffineMap guard = policy.getGuard();
  if (succeeded(tsync::PolicyAttr::verify(
          [&] { return emitError(dependence.getLoc()); }, semaphore, shape,
          counts, lower, upper, guard)))
    dependence.setPolicyAttr(tsync::PolicyAttr::get(dependence.getContext(),
                                                    semaphore, shape, counts,
                                                    lower, upper, guard));
}

void test::changeOrder(ModuleOp module, std::mt19937 &random) {
  SmallVector<tsync::ChainOp> chains;
  SmallVector<tsync::DependenceOp> dependences;
  module.walk([&](tsync::ChainOp chain) {
    if (chain.getOrder() && !chain.getOrder()->empty())
      chains.push_back(chain);
  });
  module.walk([&](tsync::DependenceOp dependence) {
    if (dependence.getPolicy())
      dependences.push_back(dependence);
  });
  if (!dependences.empty() && random() % 2 == 0)
    changePolicy(dependences[random() % dependences.size()], random);
  else if (!chains.empty())
    ::changeOrder(chains[random() % chains.size()], random);
}
