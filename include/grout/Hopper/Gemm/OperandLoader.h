//===- OperandLoader.h - Loads of operands A and B ---------------*- C++
//-*-===//
//
// Part of Grout. The part of a kernel that differs between tgemm.matmul and
// other ops that Hopper kernels compute as a GEMM. They share all other parts:
// the tile scheduler, the pipeline stages, the MMAs, the epilogue, split-K and
// stream-K.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_GEMM_OPERANDLOADER_H
#define GROUT_HOPPER_GEMM_OPERANDLOADER_H

#include "grout/Hopper/Gemm/GemmContext.h"

namespace grout::hopper {

/// A kernel's request for an operand of a GEMM: lhs, or one of several rhs.
struct OperandRequest {
  /// 0 for lhs, then 1 and up for each rhs.
  unsigned number;
  /// The number of rows of lhs (columns of rhs) that a block needs, and the
  /// number of blocks of a cluster that need the same rows (columns).
  int64_t extent;
  int64_t sharers;
  Loader loader;
  /// What the instruction multiplies.
  MmaTraits mma;
};

/// A TMA load of a part of an operand's data for one step.
struct OperandCopy {
  /// Where the part begins in the tensor map.
  llvm::SmallVector<mlir::Value> coordinates;
  /// Bytes from the block's first row (`OperandPart::firstShared`) in a stage.
  int64_t offset;
  /// For a tensor map of pixels: the distance of the pixels that are read from
  /// `coordinates`, as i16, in each dimension other than channels and images.
  llvm::SmallVector<mlir::Value> im2colOffsets;
};

/// The data that a block copies of an operand in one step.
struct OperandPart {
  const TaskValues &task;
  /// The first row of lhs (column of rhs) that the block multiplies, and the
  /// first row of shared memory that the block copies; i32.
  mlir::Value first, firstShared;
  /// The number of the step in its tile; i32.
  mlir::Value step;
};

/// Says how the operands of one kind of GEMM op get to shared memory: by which
/// tensor maps, and from which coordinates. A loader has no state, because
/// several modules may be compiled at the same time.
class OperandLoader {
public:
  virtual ~OperandLoader();

  virtual bool handles(mlir::Operation *product) const = 0;

  /// Plans the loads of an operand of `op`, and adds its tensor map to
  /// `params`. The caller sets the place in shared memory. Fails with a
  /// diagnostic if TMA cannot address the operand.
  virtual mlir::FailureOr<OperandPlan>
  plan(KernelParams &params, LaunchTensors &tensors,
       tgemm::ProductOpInterface op, const OperandRequest &request) const = 0;

  /// Returns the TMA loads of `part` of `operand`.
  virtual llvm::SmallVector<OperandCopy>
  getCopies(const GemmContext &context, const BodyPlan &body,
            const OperandPlan &operand, const OperandPart &part) const = 0;
};

/// Loads the operands of tgemm.matmul and tgemm.grouped_matmul: matrices that
/// are stored as the op says.
class MatrixLoader : public OperandLoader {
public:
  bool handles(mlir::Operation *product) const override;
  mlir::FailureOr<OperandPlan>
  plan(KernelParams &params, LaunchTensors &tensors,
       tgemm::ProductOpInterface op,
       const OperandRequest &request) const override;
  llvm::SmallVector<OperandCopy>
  getCopies(const GemmContext &context, const BodyPlan &body,
            const OperandPlan &operand, const OperandPart &part) const override;
};

/// Loads the operands of tgemm.conv2d: pixels of images, in TMA's im2col mode,
/// and features of the filter.
class Conv2dLoader : public OperandLoader {
public:
  bool handles(mlir::Operation *product) const override;
  mlir::FailureOr<OperandPlan>
  plan(KernelParams &params, LaunchTensors &tensors,
       tgemm::ProductOpInterface op,
       const OperandRequest &request) const override;
  llvm::SmallVector<OperandCopy>
  getCopies(const GemmContext &context, const BodyPlan &body,
            const OperandPlan &operand, const OperandPart &part) const override;
};

} // namespace grout::hopper

#endif // GROUT_HOPPER_GEMM_OPERANDLOADER_H
