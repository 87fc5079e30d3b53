//===- OnlineSoftmax.h - Weights of keys, step by step ----------*- C++ -*-===//
//
// Part of Grout. Algorithm: Milakov and Gimelshein, "Online normalizer
// calculation for softmax", 2018.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_ATTENTION_ONLINESOFTMAX_H
#define GROUT_LIB_HOPPER_ATTENTION_ONLINESOFTMAX_H

#include "AttentionContext.h"

namespace grout::hopper {

/// The state of the softmax in a thread, for the two rows of which it has
/// accumulators: r and r + 8 of its warp. If the tile has no query in r + 8,
/// the state of that row stays as if it had seen no key.
struct SoftmaxState {
  /// The largest score so far, which is the same in all threads of a row; and
  /// this thread's part of the sum of exponentials.
  mlir::Value largest[2], total[2];

  llvm::SmallVector<mlir::Value> pack() const {
    return {largest[0], largest[1], total[0], total[1]};
  }
  static SoftmaxState unpack(mlir::ValueRange values) {
    return {{values[0], values[1]}, {values[2], values[3]}};
  }
};

/// Turns the products of queries and keys of a step into weights.
class OnlineSoftmax {
public:
  /// Works on the 64 rows of the tile with the number `rowGroup`.
  OnlineSoftmax(const AttentionContext &context, mlir::Value rowGroup);

  /// Returns the state before the first key.
  SoftmaxState getInitialState();

  /// The outcome of a step.
  struct Step {
    /// exp(score - largest), in the order of the accumulators. Null in rows
    /// without a query.
    llvm::SmallVector<mlir::Value> weights;
    SoftmaxState state;
    /// For each row, the factor by which sums of the steps before must be
    /// multiplied. Null for a row without a query, whose sums are 0.
    mlir::Value factors[2];
  };

  /// Emits step `step`, whose products are `accumulators`. Unless `isMasked`,
  /// all rows of the tile must have all keys of the step.
  Step emitStep(mlir::Value accumulators, mlir::Value step, bool isMasked,
                const SoftmaxState &state);

  /// Returns `state` with the totals summed over all threads of a row.
  SoftmaxState emitTotals(const SoftmaxState &state);

  /// For a row whose keys were split: returns the factors by which the sums of
  /// values of each split are multiplied, before they are added up to the row's
  /// result. `largest` and `total` are the largest scores and sums of
  /// exponentials of the splits.
  llvm::SmallVector<mlir::Value>
  emitJoinFactors(llvm::ArrayRef<mlir::Value> largest,
                  llvm::ArrayRef<mlir::Value> total);

  /// The same if these keys are themselves a part of the row's keys, so that
  /// sums are not divided. Also returns the part's largest score and sum of
  /// exponentials.
  struct JoinedPart {
    llvm::SmallVector<mlir::Value> factors;
    mlir::Value largest, total;
  };
  JoinedPart emitPartFactors(llvm::ArrayRef<mlir::Value> largest,
                             llvm::ArrayRef<mlir::Value> total);
  /// Returns `largest` as a score. If `isPlain`, it is a product that is not
  /// scaled yet.
  mlir::Value emitScore(mlir::Value largest);
  /// Returns `factor` / `total`, where `total` is the sum of a row. Returns 0
  /// if `total` is 0 and the op has `zero_without_keys`.
  mlir::Value emitQuotient(mlir::Value factor, mlir::Value total);

private:
  /// exp(score - largest), for scores (products, if `isPlain`).
  mlir::Value emitFactor(mlir::Value score, mlir::Value largest);
  /// Returns `largest`, or 0 if it is minus infinity, because minus infinity
  /// cannot be subtracted.
  mlir::Value emitOrigin(mlir::Value largest);
  /// Returns scores; or, if `isPlain` and for rows without a query, the
  /// products as they are.
  llvm::SmallVector<mlir::Value> emitScores(mlir::Value accumulators,
                                            mlir::Value step, bool isMasked);
  mlir::Value emitBias(mlir::Value step, int64_t half, int64_t column,
                       bool isMasked);
  /// Combines `value` over all four threads of a row.
  mlir::Value emitOverRow(
      mlir::Value value,
      llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine);
  mlir::Value createFloat(double value);
  mlir::Value emitFMA(mlir::Value a, mlir::Value x, mlir::Value y);
  mlir::Value emitExp2(mlir::Value x);

  const AttentionContext &context;
  DeviceBuilder &b;
  /// The columns of products, and how many of the thread's rows have queries.
  int64_t columns, rows;
  double scale;
  /// Whether scores are products times a positive number. Then products need
  /// not be scaled before the largest is known.
  bool isPlain;
  /// The factor that makes scores (products, if `isPlain`) exponents of 2.
  double unit;
  /// For each of the thread's two rows: its head and query in the tensors, and
  /// the number of keys that have scores.
  mlir::Value heads[2], queries[2], limits[2];
  /// The thread's first column of every 8.
  mlir::Value firstColumn;
};

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_ATTENTION_ONLINESOFTMAX_H
