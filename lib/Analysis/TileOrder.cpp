//===- TileOrder.cpp - The task list --------------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/TileProgram.h"
#include "grout/Isl/AffineConversion.h"
#include "grout/Isl/IslContext.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace grout {

namespace {

/// Times of all tiles, as rows of one flat array.
class TimeTable {
public:
  explicit TimeTable(unsigned rank) : rank(rank) {}

  void add(AffineMap map, llvm::ArrayRef<int64_t> tile) {
    for (AffineExpr expr : map.getResults())
      times.push_back(evaluate(expr, tile));
    ++numRows;
  }

  llvm::ArrayRef<int64_t> row(size_t index) const {
    return llvm::ArrayRef(times).slice(index * rank, rank);
  }

  /// Returns the row numbers in the lexicographic order of rows.
  std::vector<uint32_t> sorted() const {
    std::vector<uint32_t> indices(numRows);
    for (size_t i = 0; i < numRows; ++i)
      indices[i] = i;
    if (std::vector<uint64_t> keys = packedKeys(); !keys.empty()) {
      std::sort(indices.begin(), indices.end(),
                [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
      return indices;
    }
    std::sort(indices.begin(), indices.end(), [&](uint32_t a, uint32_t b) {
      llvm::ArrayRef<int64_t> left = row(a), right = row(b);
      return std::lexicographical_compare(left.begin(), left.end(),
                                          right.begin(), right.end());
    });
    return indices;
  }

private:
  /// Returns a number for each row, in the same order as rows; empty if 64 bits
  /// do not hold it.
  std::vector<uint64_t> packedKeys() const {
    llvm::SmallVector<int64_t> low(rank, INT64_MAX), high(rank, INT64_MIN);
    for (size_t i = 0; i < numRows; ++i)
      for (unsigned dim = 0; dim < rank; ++dim) {
        low[dim] = std::min(low[dim], row(i)[dim]);
        high[dim] = std::max(high[dim], row(i)[dim]);
      }
    llvm::SmallVector<unsigned> bits(rank);
    unsigned totalBits = 0;
    for (unsigned dim = 0; dim < rank; ++dim) {
      uint64_t range =
          static_cast<uint64_t>(high[dim]) - static_cast<uint64_t>(low[dim]);
      bits[dim] = range == 0 ? 0 : llvm::Log2_64(range) + 1;
      totalBits += bits[dim];
    }
    if (numRows == 0 || totalBits >= 64)
      return {};
    std::vector<uint64_t> keys(numRows, 0);
    for (size_t i = 0; i < numRows; ++i)
      for (unsigned dim = 0; dim < rank; ++dim)
        keys[i] = keys[i] << bits[dim] |
                  static_cast<uint64_t>(row(i)[dim] - low[dim]);
    return keys;
  }

  unsigned rank;
  size_t numRows = 0;
  std::vector<int64_t> times;
};

} // namespace

llvm::Expected<std::vector<TileTask>>
enumerateOrder(const TileProgram &program) {
  if (llvm::Error error = checkWellFormed(program))
    return std::move(error);
  if (program.kernels.empty())
    return std::vector<TileTask>();

  TimeTable times(program.order.front().getNumResults());
  std::vector<TileTask> tiles;
  for (auto [index, kernel] : llvm::enumerate(program.kernels)) {
    if (llvm::any_of(kernel.grid, ShapedType::isDynamic))
      return llvm::make_error<AnalysisError>(AnalysisErrorKind::Invalid,
                                             "kernel " + kernel.name +
                                                 " has a dynamic grid");
    llvm::SmallVector<int64_t, 4> tile(kernel.grid.size(), 0);
    while (true) {
      times.add(program.order[index], tile);
      tiles.push_back({static_cast<unsigned>(index), tile});
      int dim = static_cast<int>(tile.size()) - 1;
      while (dim >= 0 && ++tile[dim] == kernel.grid[dim])
        tile[dim--] = 0;
      if (dim < 0)
        break;
    }
  }

  std::vector<uint32_t> sorted = times.sorted();
  std::vector<TileTask> tasks;
  tasks.reserve(tiles.size());
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0 && times.row(sorted[i]) == times.row(sorted[i - 1]))
      return llvm::make_error<AnalysisError>(
          AnalysisErrorKind::Invalid,
          "two tiles have the same place in the order: one of kernel " +
              program.kernels[tiles[sorted[i - 1]].kernel].name +
              " and one of " + program.kernels[tiles[sorted[i]].kernel].name);
    tasks.push_back(std::move(tiles[sorted[i]]));
  }
  return tasks;
}

namespace {

/// A result of an order that is a digit of one dimension: the dimension modulo
/// `modulus` (all of it if that is 0), divided by `divisor`.
struct Digit {
  unsigned dim;
  int64_t divisor = 1, modulus = 0;
};

std::optional<Digit> getDigit(AffineExpr expr) {
  if (auto dim = llvm::dyn_cast<AffineDimExpr>(expr))
    return Digit{dim.getPosition()};
  auto binary = llvm::dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  auto constant = llvm::dyn_cast<AffineConstantExpr>(binary.getRHS());
  std::optional<Digit> digit = getDigit(binary.getLHS());
  if (!constant || !digit || constant.getValue() <= 0)
    return std::nullopt;
  int64_t scaled;
  if (llvm::MulOverflow(digit->divisor, constant.getValue(), scaled))
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::FloorDiv)
    digit->divisor = scaled;
  else if (expr.getKind() == AffineExprKind::Mod && digit->modulus == 0)
    digit->modulus = scaled;
  else
    return std::nullopt;
  return digit;
}

} // namespace

/// Whether `digit` is a digit of the tile's place in its block of `left` tiles.
/// The block begins at a multiple of `left`, or is all of `size`.
static bool isWithinBlock(const Digit &digit, int64_t left, int64_t size) {
  bool isRemainder =
      digit.modulus == left || (left == size && digit.modulus >= size);
  if (digit.modulus != 0 && !isRemainder)
    return false;
  return left == size || left % digit.divisor == 0 || digit.divisor % left == 0;
}

std::optional<llvm::SmallVector<TileLoop>>
getLoopsOfOrder(AffineMap order, llvm::ArrayRef<int64_t> grid) {
  llvm::SmallVector<TileLoop> loops;
  llvm::SmallVector<int64_t> left(grid);
  llvm::SmallVector<bool> isVisited(grid.size());
  for (AffineExpr result : order.getResults()) {
    if (llvm::isa<AffineConstantExpr>(result))
      continue;
    std::optional<Digit> digit = getDigit(result);
    if (!digit || !isWithinBlock(*digit, left[digit->dim], grid[digit->dim]))
      return std::nullopt;
    // A single block is no loop. But a dimension of one tile has a place, too.
    unsigned dim = digit->dim;
    bool isOnlyTile = grid[dim] == 1 && digit->divisor == 1 && !isVisited[dim];
    if (digit->divisor < left[dim] || isOnlyTile) {
      left[dim] = std::min(digit->divisor, left[dim]);
      loops.push_back({dim, left[dim]});
      isVisited[dim] = true;
    }
  }
  if (llvm::any_of(left, [](int64_t size) { return size != 1; }))
    return std::nullopt;
  return loops;
}

llvm::SmallVector<unsigned> getOrderOfDims(AffineMap order,
                                           llvm::ArrayRef<int64_t> grid) {
  std::optional<llvm::SmallVector<TileLoop>> loops =
      getLoopsOfOrder(order, grid);
  if (!loops || llvm::any_of(*loops, [](const TileLoop &loop) {
        return loop.block != 1;
      }))
    return {};
  llvm::SmallVector<unsigned> dims;
  for (const TileLoop &loop : *loops)
    if (!llvm::is_contained(dims, loop.dim))
      dims.push_back(loop.dim);
  // Dimensions of one tile may go anywhere.
  for (unsigned dim = 0; dim != grid.size(); ++dim)
    if (!llvm::is_contained(dims, dim))
      dims.push_back(dim);
  return dims;
}

} // namespace grout
