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

/// Makes one kernel of a group, behind its last member.
class KernelBuilder {
public:
  explicit KernelBuilder(const Group &group)
      : group(group), builder(group.back()) {
    builder.setInsertionPointAfter(group.back());
  }

  /// Builds the kernel and replaces by its results what is used outside of the
  /// group. The members are left behind without uses.
  KernelOp build();

private:
  /// Where the elements of a tensor are: at view(indices) of an array.
  struct Place {
    mlir::Value array;
    mlir::AffineMap view;
  };

  bool isUsedOutside(mlir::Value value);
  /// Whether a member starts from `value`, which nothing else uses, and takes
  /// its memory for the result.
  bool isOverwritten(mlir::Value value);

  mlir::Value addInput(mlir::Value operand);
  mlir::Value addOutput(mlir::Value init, mlir::Value result);
  mlir::Value addLocal(mlir::Value tensor);
  /// The place of a tensor that is read.
  Place getPlace(mlir::Value tensor);
  /// A constant in the statement at hand, or a scalar argument of the kernel.
  mlir::Value getScalar(mlir::OpBuilder &body, mlir::Value value);

  /// The array that result `number` of `op` is written to, with its init in it
  /// if the op starts from that.
  mlir::Value prepareResult(mlir::linalg::LinalgOp op, unsigned number);
  void addFill(mlir::Location loc, mlir::Value array, mlir::Value scalar);
  void addCopy(mlir::Location loc, mlir::Value array, mlir::Value tensor);
  void addStatement(mlir::linalg::LinalgOp op);
  void addScatter(mlir::tensor::ScatterOp op);
  /// The element that `extract` takes, in the statement at hand.
  mlir::Value addGather(mlir::OpBuilder &body, mlir::tensor::ExtractOp extract,
                        const mlir::IRMapping &mapping);
  /// Copies the body of `op` to the end of a region, for which `mapping` has
  /// the arguments.
  void cloneBody(mlir::OpBuilder &body, mlir::linalg::LinalgOp op,
                 mlir::IRMapping &mapping);
  /// Starts a statement; its region has one argument for each read.
  StmtOp createStatement(mlir::Location loc, llvm::ArrayRef<int64_t> extents,
                         llvm::ArrayRef<Place> reads,
                         llvm::ArrayRef<Place> writes);

  const Group &group;
  mlir::OpBuilder builder;
  mlir::Block *body = nullptr;
  unsigned numStatements = 0;
  llvm::SmallVector<mlir::Value> inputs, outputs;
  /// What each output is the result of.
  llvm::SmallVector<mlir::Value> results;
  llvm::DenseMap<mlir::Value, Place> places;
  llvm::DenseMap<mlir::Value, mlir::Value> inputArguments;
};

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_LINALGTOSCOP_KERNELBUILDER_H
