//===- KernelBuilder.h - A group of ops as a scop kernel --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOSCOP_KERNELBUILDER_H
#define GROUT_LIB_CONVERSION_LINALGTOSCOP_KERNELBUILDER_H

#include "Grouping.h"
#include "grout/Dialect/Scop/IR/Scop.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace grout::scop {

/// Builds one kernel for a group, behind the last op of the group.
class KernelBuilder {
public:
  explicit KernelBuilder(const Group &group)
      : group(group), builder(group.back()) {
    builder.setInsertionPointAfter(group.back());
  }

  /// Builds the kernel, and replaces uses outside of the group by its results.
  /// Leaves the ops of the group without uses.
  KernelOp build();

private:
  /// The place of a tensor's elements: view(indices) of an array.
  struct Place {
    mlir::Value array;
    mlir::AffineMap view;
  };

  bool isUsedOutside(mlir::Value value);
  /// Whether an op of the group starts from `value`, uses its memory for the
  /// result, and is the only user of `value`.
  bool isOverwritten(mlir::Value value);

  mlir::Value addInput(mlir::Value operand);
  mlir::Value addOutput(mlir::Value init, mlir::Value result);
  mlir::Value addLocal(mlir::Value tensor);
  /// Returns the place of a tensor that is read.
  Place getPlace(mlir::Value tensor);
  /// Returns a constant in the current statement, or a scalar argument of the
  /// kernel.
  mlir::Value getScalar(mlir::OpBuilder &body, mlir::Value value);

  /// Returns the array to which result `number` of `op` is written. If the op
  /// starts from its init, the array holds that.
  mlir::Value prepareResult(mlir::linalg::LinalgOp op, unsigned number);
  void addFill(mlir::Location loc, mlir::Value array, mlir::Value scalar);
  void addCopy(mlir::Location loc, mlir::Value array, mlir::Value tensor);
  void addStatement(mlir::linalg::LinalgOp op);
  void addScatter(mlir::tensor::ScatterOp op);
  /// Returns the element that `extract` reads in the current statement.
  mlir::Value addGather(mlir::OpBuilder &body, mlir::tensor::ExtractOp extract,
                        const mlir::IRMapping &mapping);
  /// Copies the body of `op` to the end of a region. `mapping` has the values
  /// of the body's arguments.
  void cloneBody(mlir::OpBuilder &body, mlir::linalg::LinalgOp op,
                 mlir::IRMapping &mapping);
  /// Starts a statement. Its region has one argument for each read.
  StmtOp createStatement(mlir::Location loc, llvm::ArrayRef<int64_t> extents,
                         llvm::ArrayRef<Place> reads,
                         llvm::ArrayRef<Place> writes);

  const Group &group;
  mlir::OpBuilder builder;
  mlir::Block *body = nullptr;
  unsigned numStatements = 0;
  llvm::SmallVector<mlir::Value> inputs, outputs;
  /// For each output of the kernel, the result of the group that it holds.
  llvm::SmallVector<mlir::Value> results;
  llvm::DenseMap<mlir::Value, Place> places;
  llvm::DenseMap<mlir::Value, mlir::Value> inputArguments;
};

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_LINALGTOSCOP_KERNELBUILDER_H
