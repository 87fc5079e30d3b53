//===- InitAllDialects.cpp - Registers Grout's dialects -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/InitAllDialects.h"

#include "grout/Dialect/Collective/IR/Collective.h"
#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Dialect/Scop/Transforms/BufferizableOpInterfaceImpl.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/InitAllTargets.h"
#include "grout/Interfaces/LinalgTileKernel.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

using namespace mlir;

void grout::registerAllDialects(DialectRegistry &registry) {
  registerAllTargets();
  registry.insert<GroutDialect, collective::CollectiveDialect,
                  launch::LaunchDialect, scop::ScopDialect, tgemm::TGemmDialect,
                  tsync::TSyncDialect>();
  registry
      .insert<affine::AffineDialect, arith::ArithDialect,
              bufferization::BufferizationDialect, func::FuncDialect,
              gpu::GPUDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
              math::MathDialect, memref::MemRefDialect, NVVM::NVVMDialect,
              scf::SCFDialect, tensor::TensorDialect, vector::VectorDialect>();
  registerLinalgTileKernelModels(registry);
  // Kernels of scop, and what is between them, become code on buffers.
  scop::registerBufferizableOpInterfaceExternalModels(registry);
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  // Lowering to LLVM and the translation of gpu.module go through these.
  registerAllExtensions(registry);
  registerAllGPUToLLVMIRTranslations(registry);
}
