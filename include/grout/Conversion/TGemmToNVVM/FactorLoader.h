//===- FactorLoader.h - How factors come to shared memory -------*- C++ -*-===//
//
// Part of Grout. What a product on Hopper brings that is not tgemm.matmul: all
// else (tile scheduler, ring of stages, products, epilogue, exchange, parts) is
// the same for all of them.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_TGEMMTONVVM_FACTORLOADER_H
#define GROUT_CONVERSION_TGEMMTONVVM_FACTORLOADER_H

#include "grout/Conversion/TGemmToNVVM/KernelContext.h"
#include "grout/Conversion/TGemmToNVVM/KernelParams.h"

namespace grout::hopper {

/// What a kernel wants of a factor of a product.
struct FactorRequest {
  /// 0 for lhs, then each rhs.
  unsigned number;
  /// Rows of lhs (columns of rhs) that a block needs, and the blocks of a
  /// cluster that need the same.
  int64_t extent;
  int64_t sharers;
  Loader loader;
};

/// A TMA load of a part of what a step needs of a factor.
struct FactorCopy {
  /// Where it begins in the tensor map.
  llvm::SmallVector<mlir::Value> coordinates;
  /// Bytes from the block's first row in a stage.
  int64_t offset;
  /// Of a tensor map of pixels: how far those read are from the coordinates, in
  /// each dimension but channels and images; i16.
  llvm::SmallVector<mlir::Value> im2colOffsets;

  mlir::NVVM::TMALoadMode getMode() const {
    return im2colOffsets.empty() ? mlir::NVVM::TMALoadMode::TILE
                                 : mlir::NVVM::TMALoadMode::IM2COL;
  }
};

/// What one step reads of a factor.
struct FactorPart {
  const TileTask &task;
  /// The first row of lhs (column of rhs) that the block multiplies, and the
  /// first row of shared memory that it copies; i32.
  mlir::Value first, firstShared;
  /// The step of the tile; i32.
  mlir::Value step;
};

/// How the factors of one kind of product come to shared memory: by which
/// tensor maps, and from which coordinates. It has no state: modules may be
/// compiled at the same time.
class FactorLoader {
public:
  virtual ~FactorLoader();

  virtual bool handles(mlir::Operation *product) const = 0;

  /// Plans the loads of a factor of `op`, adds its tensor map to `params`, and
  /// leaves the place in shared memory open. Fails with a diagnostic if TMA
  /// cannot address it.
  virtual mlir::FailureOr<FactorPlan>
  plan(KernelParams &params, LaunchTensors &tensors,
       tgemm::ProductOpInterface op, const FactorRequest &request) const = 0;

  /// The copies of `part` of `factor`.
  virtual llvm::SmallVector<FactorCopy>
  getCopies(const KernelContext &context, const BodyPlan &body,
            const FactorPlan &factor, const FactorPart &part) const = 0;
};

/// That of tgemm.matmul: matrices that are stored as the op says.
class MatrixLoader : public FactorLoader {
public:
  bool handles(mlir::Operation *product) const override;
  mlir::FailureOr<FactorPlan> plan(KernelParams &params, LaunchTensors &tensors,
                                   tgemm::ProductOpInterface op,
                                   const FactorRequest &request) const override;
  llvm::SmallVector<FactorCopy>
  getCopies(const KernelContext &context, const BodyPlan &body,
            const FactorPlan &factor, const FactorPart &part) const override;
};

/// That of tgemm.conv2d: pixels of images by TMA's im2col mode, and features of
/// the filter.
class Conv2dLoader : public FactorLoader {
public:
  bool handles(mlir::Operation *product) const override;
  mlir::FailureOr<FactorPlan> plan(KernelParams &params, LaunchTensors &tensors,
                                   tgemm::ProductOpInterface op,
                                   const FactorRequest &request) const override;
  llvm::SmallVector<FactorCopy>
  getCopies(const KernelContext &context, const BodyPlan &body,
            const FactorPlan &factor, const FactorPart &part) const override;
};

} // namespace grout::hopper

#endif // GROUT_CONVERSION_TGEMMTONVVM_FACTORLOADER_H
