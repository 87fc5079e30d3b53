//===- KernelShape.h - A scheduled kernel as loops and phases ---*- C++ -*-===//
//
// Part of Grout. The structure of a schedule that code for a GPU needs: outer
// loops whose iterations are independent, and within them phases, one after
// another, that go through the same inner loops.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_THREADMAPPING_KERNELSHAPE_H
#define GROUT_DIALECT_SCOP_THREADMAPPING_KERNELSHAPE_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Dialect/Scop/ThreadMapping/StridedAccess.h"

namespace grout::scop {

struct PhaseStatement {
  StmtOp op;
  llvm::SmallVector<StridedAccess> reads, writes;
  /// The loop of each iterator; none if its extent is 1 and it has no loop.
  llvm::SmallVector<std::optional<unsigned>> loops;
  /// Whether the statement combines values over the inner loops.
  bool isReduction = false;
};

/// Statements that run in order at every point of the outer loops, and of the
/// inner loops if the phase has them.
struct Phase {
  bool hasInnerLoops = false;
  std::vector<PhaseStatement> statements;
};

/// The information of the schedule about a loop.
struct LoopMark {
  /// The dimension of the loop in the schedule; the first if there are several.
  unsigned dim = 0;
  /// The blocks or threads that run the iterations, and the width of vectors.
  ExecutionAttr execution;
  /// Whether iterations may run at the same time, maybe with partial results.
  bool isParallel = false;
};

/// A kernel as loops and phases. Loops are numbered from the outermost. The
/// outer loops are parallel. All phases with inner loops have the same inner
/// loops.
struct KernelShape {
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<LoopMark> marks;
  unsigned numOuter = 0;
  std::vector<Phase> phases;

  unsigned getNumLoops() const { return extents.size(); }
  int64_t getOuterSize() const;
  int64_t getInnerSize() const;
  bool hasInnerLoops() const { return numOuter != extents.size(); }
  /// Returns whether threads distribute the inner loops. Otherwise each thread
  /// goes through all of them.
  bool sharesInnerLoops() const;
  /// Returns the second loop of a block's tile: the outer loop mapped to
  /// thread_y, if there is one.
  std::optional<unsigned> getTileLoop() const;
  /// Returns whether the element of the access changes with an inner loop.
  bool dependsOnInner(const StridedAccess &access) const;
  /// Returns whether the access, as a write, reaches each of the `elements`
  /// elements of a dense array.
  bool covers(const StridedAccess &access, int64_t elements) const;
  /// Calls `visit` with every access to an array outside the kernel.
  void
  forEachGlobalAccess(llvm::function_ref<void(const StridedAccess &)> visit);
};

/// Returns the layout of an array of a kernel that is a whole buffer.
mlir::StridedLayoutAttr getWholeLayout(mlir::Value array);

/// Returns the shape of `kernel`. `getLayout` returns the layout of each
/// argument in its buffer; local arrays are dense. Fails with a diagnostic that
/// names the reason why the schedule has no such shape.
mlir::FailureOr<KernelShape> getKernelShape(
    KernelOp kernel,
    llvm::function_ref<mlir::StridedLayoutAttr(mlir::Value array)> getLayout);

/// Checks that the marks of the loops of `kernel` make sense together.
mlir::LogicalResult checkMarks(KernelOp kernel, const KernelShape &shape);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_THREADMAPPING_KERNELSHAPE_H
