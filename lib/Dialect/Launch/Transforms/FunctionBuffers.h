//===- FunctionBuffers.h - Memory for what a function computes --*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_FUNCTIONBUFFERS_H
#define GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_FUNCTIONBUFFERS_H

#include "grout/Dialect/Launch/IR/Launch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"

namespace grout::launch {

/// The value that `value` is: through the results of chains and of kernels that
/// share a launch, what they yield.
mlir::Value getYielded(mlir::Value value);

/// The plan of a function, without its launches: a buffer for every argument,
/// and for every result of a kernel, which is a part of one if the result is
/// concatenated with others. Results of the function are written in place. An
/// argument that holds a result afterwards has its buffer, and what a
/// kernel updates has one buffer before and after.
class FunctionBuffers {
public:
  /// Starts the plan of `func`, before it. Fails with a diagnostic that names
  /// what is not supported, and leaves no plan then: an op that is neither a
  /// kernel nor a view, a dynamic shape, a result that is an argument or that
  /// is returned twice, a concatenation of what is no kernel's result, or of
  /// one that is returned, too.
  static mlir::FailureOr<FunctionBuffers> create(mlir::func::FuncOp func);

  PlanOp getPlan() const { return plan; }
  /// The buffer of `value`, an argument, a kernel's result or a concatenation;
  /// null if it is none of these.
  mlir::Value lookup(mlir::Value value) const { return buffers.lookup(value); }

private:
  explicit FunctionBuffers(mlir::func::FuncOp func) : func(func) {}

  mlir::LogicalResult addResults();
  mlir::LogicalResult addResult(mlir::OpOperand &returned);
  mlir::LogicalResult addConcatenation(mlir::tensor::ConcatOp op);
  void addBuffers(mlir::Operation *kernel);
  mlir::Value createBuffer(mlir::Value value, mlir::StringRef name);

  mlir::func::FuncOp func;
  PlanOp plan;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  /// The arguments of the plan for kernels' results, and concatenations, that
  /// are returned.
  llvm::DenseMap<mlir::Value, mlir::Value> returned;
  unsigned numKernels = 0;
};

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_FUNCTIONBUFFERS_H
