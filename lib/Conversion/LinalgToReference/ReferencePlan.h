//===- ReferencePlan.h - A function as plain kernels ------------*- C++ -*-===//
//
// Part of Grout. Private to convert-linalg-to-reference.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOREFERENCE_REFERENCEPLAN_H
#define GROUT_LIB_CONVERSION_LINALGTOREFERENCE_REFERENCEPLAN_H

#include "ReferenceKernel.h"
#include "grout/Dialect/Collective/IR/Collective.h"
#include "grout/Dialect/TGemm/Transforms/F32Products.h"
#include "grout/Target/Target.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace grout::reference {

/// Makes the reference plan of one function: for each of its ops a kernel, or
/// a view.
class ReferencePlan {
public:
  /// Sums of f16 and bf16 are rounded at each term if `strictTypes`. Products
  /// of f32 are computed as `f32Products` says where the plan is checked.
  /// `plain` is what buildPlainFunction has made of `original`.
  ReferencePlan(mlir::func::FuncOp original,
                mlir::OwningOpRef<mlir::func::FuncOp> plain,
                const Target &target, bool strictTypes,
                tgemm::F32Products f32Products);

  /// Adds the plan and its module of kernels behind the function. If there is
  /// something that cannot be computed plainly, adds nothing and says so in a
  /// remark.
  void run();

private:
  mlir::LogicalResult buildSignature();
  mlir::LogicalResult buildKernels();
  mlir::LogicalResult buildOp(mlir::Operation &op);
  mlir::LogicalResult buildLinalg(mlir::linalg::LinalgOp op);
  /// Says what `kernel` computes: the body of `op`, with its roundings.
  void setComputation(ReferenceKernel &kernel, mlir::linalg::LinalgOp op);
  mlir::LogicalResult buildSlice(mlir::tensor::ExtractSliceOp op);
  mlir::LogicalResult buildInsert(mlir::tensor::InsertSliceOp op);
  mlir::LogicalResult buildScatter(mlir::tensor::ScatterOp op);
  mlir::LogicalResult buildPad(mlir::tensor::PadOp op);
  mlir::LogicalResult checkPosition(mlir::OffsetSizeAndStrideOpInterface slice);
  mlir::LogicalResult buildExpand(mlir::tensor::ExpandShapeOp op);
  mlir::LogicalResult buildCollapse(mlir::tensor::CollapseShapeOp op);
  mlir::LogicalResult buildConstant(mlir::arith::ConstantOp op);
  mlir::LogicalResult buildReturn(mlir::Operation &op);
  mlir::LogicalResult buildCollective(collective::CollectiveOpInterface op);
  /// Adds a kernel that copies all of `source` to `target`, of one shape, and
  /// converts it to the element type of `target`.
  void buildCopy(mlir::Location loc, const ReferenceTensor &source,
                 const ReferenceTensor &target);
  void addKernel(ReferenceKernel &kernel);
  /// The name of the next kernel.
  std::string getKernelName();
  /// Makes `launch`, the last one of the plan, follow the one before it.
  void addLaunch(launch::LaunchOpInterface launch);
  /// The module of kernels, if they are for a GPU; or null.
  mlir::gpu::GPUModuleOp getDeviceModule();

  /// The reference's form of `tensor`.
  mlir::FailureOr<ReferenceTensor> getTensor(mlir::Value tensor,
                                             mlir::Operation *user);
  /// A tensor in all of `buffer`.
  ReferenceTensor getDense(mlir::Value buffer);
  ReferenceTensor createBuffer(mlir::Location loc,
                               llvm::ArrayRef<int64_t> shape,
                               mlir::Type elementType);
  /// What elements of `type` are in the reference.
  mlir::Type promote(mlir::Type type);
  /// The buffer type of a tensor of the function.
  mlir::MemRefType getBufferType(mlir::RankedTensorType type);
  /// A name for the plan which no other symbol has, nor has its module's.
  std::string getFreshName();
  /// Says why there is no reference.
  mlir::LogicalResult refuse(mlir::Operation *op, const llvm::Twine &reason);

  mlir::func::FuncOp original;
  mlir::OwningOpRef<mlir::func::FuncOp> plain;
  mlir::func::FuncOp func; // the plain one
  const Target &target;
  bool strictTypes;
  tgemm::F32Products f32Products;
  mlir::FloatType floatType;         // of all floats
  mlir::Operation *module = nullptr; // of the kernels
  launch::PlanOp plan;
  llvm::DenseMap<mlir::Value, ReferenceTensor> tensors;
  /// Results of kernels that go straight to an output of the plan.
  llvm::DenseMap<mlir::Value, mlir::Value> outputs;
  unsigned numKernels = 0;
  mlir::Value lastLaunch; // its token, if there is one
};

} // namespace grout::reference

#endif // GROUT_LIB_CONVERSION_LINALGTOREFERENCE_REFERENCEPLAN_H
