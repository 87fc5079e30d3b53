//===- GPUModule.cpp - Modules for a GPU's kernels ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/GPUModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace grout;

static constexpr llvm::StringLiteral kTriple = "nvptx64-nvidia-cuda";
/// LLVM's data layout for `kTriple`. Translation to LLVM IR gives accesses the
/// alignment that the module's layout states. By the default layout, 64-bit
/// values are aligned to 32 bits, and LLVM splits their accesses in two.
static constexpr llvm::StringLiteral kDataLayout =
    "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64";

gpu::GPUModuleOp grout::createGPUModule(OpBuilder &builder, Location loc,
                                        StringRef name,
                                        const TargetSpec &target) {
  Attribute nvvmTarget =
      NVVM::NVVMTargetAttr::get(builder.getContext(), /*optLevel=*/3, kTriple,
                                target.architecture, target.features);
  auto module = gpu::GPUModuleOp::create(builder, loc, name,
                                         ArrayRef<Attribute>{nvvmTarget});
  module->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                  builder.getStringAttr(kDataLayout));
  return module;
}
