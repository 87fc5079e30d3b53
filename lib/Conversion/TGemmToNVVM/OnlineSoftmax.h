//===- OnlineSoftmax.h - Weights of keys, step by step ----------*- C++ -*-===//
//
// Part of Grout. Algorithm: Milakov and Gimelshein, "Online normalizer
// calculation for softmax", 2018.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_ONLINESOFTMAX_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_ONLINESOFTMAX_H

#include "AttentionContext.h"

namespace grout::hopper {

/// What a thread knows of the two rows of which it has accumulators: r and
/// r + 8 of its warp. Where tiles have no query in r + 8, that row stays as if
/// it had seen no key.
struct SoftmaxState {
  /// The largest score so far, the same in all threads of a row; and this
  /// thread's part of the sum of exponentials.
  mlir::Value largest[2], total[2];

  llvm::SmallVector<mlir::Value> pack() const {
    return {largest[0], largest[1], total[0], total[1]};
  }
  static SoftmaxState unpack(mlir::ValueRange values) {
    return {{values[0], values[1]}, {values[2], values[3]}};
  }
};

/// Turns the products of a step into weights.
class OnlineSoftmax {
public:
  /// For the 64 rows of the tile that have number `rowGroup`.
  OnlineSoftmax(const AttentionContext &context, mlir::Value rowGroup);

  /// No key seen.
  SoftmaxState getInitialState();

  /// What a step makes of its products.
  struct Step {
    /// exp(score - largest), in the order of the accumulators. Null in rows
    /// without a query.
    llvm::SmallVector<mlir::Value> weights;
    SoftmaxState state;
    /// By what sums of the steps before are to be multiplied, for each row.
    /// Null for a row without a query, whose sums are 0.
    mlir::Value factors[2];
  };

  /// For `accumulators`, the products of step `step`. Unless `isMasked`, all of
  /// its keys are there for all rows of the tile.
  Step emitStep(mlir::Value accumulators, mlir::Value step, bool isMasked,
                const SoftmaxState &state);

  /// The sums over all threads of a row.
  SoftmaxState emitTotals(const SoftmaxState &state);

  /// By what the sums of values of parts of a row's keys are multiplied before
  /// they are added up to its result, if the parts have `largest` scores and
  /// sums of exponentials `total`.
  llvm::SmallVector<mlir::Value>
  emitJoinFactors(llvm::ArrayRef<mlir::Value> largest,
                  llvm::ArrayRef<mlir::Value> total);

  /// The same for a row of what is itself a part of the keys: its sums, and its
  /// largest score and sum of exponentials.
  struct JoinedPart {
    llvm::SmallVector<mlir::Value> factors;
    mlir::Value largest, total;
  };
  JoinedPart emitPartFactors(llvm::ArrayRef<mlir::Value> largest,
                             llvm::ArrayRef<mlir::Value> total);
  /// The score that `largest` is, which may be a product yet.
  mlir::Value emitScore(mlir::Value largest);
  /// `factor` over `total`, the sum of a row; where that is 0, what the op
  /// gives for queries without keys.
  mlir::Value emitQuotient(mlir::Value factor, mlir::Value total);

private:
  /// exp of the difference of two largest scores of a row.
  mlir::Value emitFactor(mlir::Value score, mlir::Value largest);
  /// `largest`, or 0 where it is minus infinity, from which nothing can be
  /// subtracted.
  mlir::Value emitOrigin(mlir::Value largest);
  /// Scores from products, or, if isPlain, products as they are. Those of rows
  /// without a query are products.
  llvm::SmallVector<mlir::Value> emitScores(mlir::Value accumulators,
                                            mlir::Value step, bool isMasked);
  mlir::Value emitBias(mlir::Value step, int64_t half, int64_t column,
                       bool isMasked);
  /// Applies `combine` to `value` in all four threads of a row.
  mlir::Value emitOverRow(
      mlir::Value value,
      llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine);
  mlir::Value createFloat(double value);
  mlir::Value emitFMA(mlir::Value a, mlir::Value x, mlir::Value y);
  mlir::Value emitExp2(mlir::Value x);

  const AttentionContext &context;
  DeviceBuilder &b;
  /// Columns of products, and how many of the thread's rows have queries.
  int64_t columns, rows;
  double scale;
  /// Whether scores are products times a positive number, which need not be
  /// multiplied before the largest is known.
  bool isPlain;
  /// By what scores (products, if isPlain) are multiplied to become exponents
  /// of 2.
  double unit;
  /// Of the thread's two rows: head and query, in the tensors; and, below which
  /// key there are scores.
  mlir::Value heads[2], queries[2], limits[2];
  /// The thread's first column of 8.
  mlir::Value firstColumn;
};

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_ONLINESOFTMAX_H
