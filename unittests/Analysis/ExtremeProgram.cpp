//===- ExtremeProgram.cpp - Tile programs with huge constants -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ExtremeProgram.h"

#include "llvm/ADT/APInt.h"

#include <limits>
#include <optional>

using namespace mlir;

namespace grout::test {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

int64_t pickExtreme(Random &random) {
  static const int64_t kExtremes[] = {
      1,       -1,       3,        int64_t(1) << 31, (int64_t(1) << 31) - 1,
      1 << 30, kMax,     kMin + 1, int64_t(1) << 32, (int64_t(1) << 32) + 1,
      kMin,    kMax / 3, kMax - 1, int64_t(1) << 40, -(int64_t(1) << 32),
      1000003, kMin / 2, kMax / 2, int64_t(1) << 62, -(int64_t(1) << 62) - 1};
  return kExtremes[random.pick(0, std::size(kExtremes) - 1)];
}

/// A positive one.
int64_t pickPositive(Random &random) {
  int64_t value = pickExtreme(random);
  return value == kMin ? kMax : std::abs(value);
}

AffineExpr makeExtreme(Random &random, AffineExpr expr) {
  int64_t by = pickExtreme(random), divisor = pickPositive(random);
  switch (random.pick(0, 6)) {
  case 0:
    return expr + by;
  case 1:
    return expr * by;
  case 2: // There and back again, where nothing overflows in between.
    return (expr * divisor).floorDiv(divisor);
  case 3:
    return (expr + divisor) % divisor;
  case 4:
    return expr.floorDiv(divisor);
  case 5:
    return expr % divisor;
  default: // Nothing, but for the order of evaluation.
    return (expr * by + expr) - expr * by;
  }
}

AffineMap makeExtreme(Random &random, AffineMap map) {
  if (map.getNumResults() == 0)
    return map;
  unsigned result = random.pick(0, map.getNumResults() - 1);
  llvm::SmallVector<AffineExpr> results(map.getResults());
  results[result] = makeExtreme(random, results[result]);
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

/// Wide enough for all that random expressions come to.
constexpr unsigned kBits = 1024;

/// Floored, as affine maps divide; none by less than 1.
std::optional<llvm::APInt>
evaluate(AffineExpr expr, llvm::ArrayRef<int64_t> dims, unsigned bits) {
  auto number = [&](int64_t value) {
    return llvm::APInt(bits, static_cast<uint64_t>(value), /*isSigned=*/true);
  };
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return number(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return number(dims[dim.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<llvm::APInt> left = evaluate(binary.getLHS(), dims, bits),
                             right = evaluate(binary.getRHS(), dims, bits);
  if (!left || !right)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return *left + *right;
  if (expr.getKind() == AffineExprKind::Mul)
    return *left * *right;
  if (!right->isStrictlyPositive())
    return std::nullopt;
  llvm::APInt rest = left->srem(*right);
  if (rest.isNegative())
    rest += *right;
  if (expr.getKind() == AffineExprKind::Mod)
    return rest;
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return (*left - rest).sdiv(*right);
  return std::nullopt; // Random programs do not round up.
}

/// Calls visit(point) for all points of a box until it returns something.
template <typename Visit>
std::string forEachPoint(llvm::ArrayRef<int64_t> sizes, Visit visit) {
  if (llvm::is_contained(sizes, 0))
    return "";
  llvm::SmallVector<int64_t> point(sizes.size(), 0);
  while (true) {
    if (std::string found = visit(point); !found.empty())
      return found;
    size_t dim = sizes.size();
    while (dim && ++point[dim - 1] == sizes[dim - 1])
      point[--dim] = 0;
    if (!dim)
      return "";
  }
}

std::string describe(AffineExpr expr, llvm::ArrayRef<int64_t> point) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << expr << " at ";
  llvm::interleaveComma(point, out);
  return text;
}

std::string findOverflow(llvm::ArrayRef<AffineExpr> exprs,
                         llvm::ArrayRef<int64_t> sizes) {
  return forEachPoint(sizes, [&](llvm::ArrayRef<int64_t> point) {
    for (AffineExpr expr : exprs) {
      std::optional<llvm::APInt> wrapped = evaluate(expr, point, 64),
                                 exact = evaluate(expr, point, kBits);
      if (!wrapped || !exact || wrapped->sext(kBits) != *exact)
        return describe(expr, point);
    }
    return std::string();
  });
}

std::string findOverflow(const SemaphorePolicy &policy,
                         const TileKernel &producer,
                         const TileKernel &consumer) {
  std::string found =
      findOverflow(policy.semaphore.getResults(), producer.grid);
  llvm::SmallVector<int64_t> stepped(consumer.grid);
  stepped.push_back(consumer.steps);
  for (AffineMap map : {policy.waitLower, policy.waitUpper})
    if (found.empty())
      found = findOverflow(map.getResults(), stepped);
  if (found.empty())
    found = findOverflow(policy.guards, consumer.grid);
  for (int64_t count : policy.counts)
    if (found.empty() && !llvm::isInt<32>(count))
      found = "a count of " + std::to_string(count);
  return found;
}

} // namespace

std::string makeExtreme(Random &random, TileProgram &program) {
  if (program.edges.empty() || random.oneIn(4)) {
    unsigned kernel = random.pick(0, program.order.size() - 1);
    program.order[kernel] = makeExtreme(random, program.order[kernel]);
    return "extreme order of kernel " + std::to_string(kernel);
  }
  unsigned index = random.pick(0, program.edges.size() - 1);
  SemaphorePolicy &policy = program.edges[index].policy;
  std::string of = " of edge " + std::to_string(index);
  switch (random.pick(0, 5)) {
  case 0:
    policy.semaphore = makeExtreme(random, policy.semaphore);
    return "extreme semaphores" + of;
  case 1:
    policy.waitLower = makeExtreme(random, policy.waitLower);
    return "an extreme lower bound" + of;
  case 2:
    policy.waitUpper = makeExtreme(random, policy.waitUpper);
    return "an extreme upper bound" + of;
  case 3:
    policy.guards.push_back(makeExtreme(
        random,
        getAffineDimExpr(random.pick(0, policy.waitLower.getNumDims() - 2),
                         getContext())));
    return "an extreme guard" + of;
  case 4:
    policy.counts[random.pick(0, policy.counts.size() - 1)] =
        pickExtreme(random);
    return "an extreme count" + of;
  default:
    policy.firstStep = pickPositive(random);
    return "an extreme first step" + of;
  }
}

std::string findOverflow(const TileProgram &program) {
  for (auto [kernel, order] : llvm::zip_equal(program.kernels, program.order))
    if (std::string found = findOverflow(order.getResults(), kernel.grid);
        !found.empty())
      return "order of " + kernel.name + ": " + found;
  for (const SynchronisedEdge &edge : program.edges)
    if (std::string found =
            findOverflow(edge.policy, program.kernels[edge.producer],
                         program.kernels[edge.consumer]);
        !found.empty())
      return "policy of " + program.kernels[edge.consumer].name + ": " + found;
  return "";
}

} // namespace grout::test
