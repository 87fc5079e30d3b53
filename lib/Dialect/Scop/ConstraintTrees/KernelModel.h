//===- KernelModel.h - Strides and dependences of a kernel ------*- C++ -*-===//
//
// Part of Grout. What the optimisers need to know of a kernel, as integers.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_KERNELMODEL_H
#define GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_KERNELMODEL_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Scheduling/SchedulingProblem.h"

namespace grout::scop {

struct AccessModel {
  mlir::Value array;
  bool isWrite;
  /// Bytes of an element, and of the array.
  int64_t bytes, arrayBytes;
  /// Whether it is affine without divisions; if not, there are no strides.
  bool isLinear;
  int64_t offset = 0;
  /// Elements, for each iterator of the statement.
  llvm::SmallVector<int64_t> strides;
};

struct StatementModel {
  StmtOp op;
  std::string name;
  llvm::SmallVector<int64_t> extents;
  /// Whether it combines over an iterator.
  llvm::SmallVector<bool> reduces;
  std::vector<AccessModel> accesses;
  /// Whether it depends on what another op of the program computes.
  bool isLate = false;

  bool isReduction() const { return llvm::is_contained(reduces, true); }
};

/// Instances of `target` depend on instances of `source`.
struct DependenceModel {
  unsigned source, target;
  /// Pairs of iterators that are equal throughout.
  std::vector<std::pair<unsigned, unsigned>> equal;
};

struct KernelModel {
  std::vector<StatementModel> statements;
  std::vector<DependenceModel> dependences;

  /// Fails if isl does.
  static llvm::Expected<KernelModel> create(KernelOp kernel,
                                            const SchedulingProblem &problem);
};

/// The statement and its accesses.
StatementModel modelStatement(StmtOp op);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_KERNELMODEL_H
