//===- Program.cpp - The program to compile -------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Compiler/Program.h"

#include "HostFunctions.h"
#include "grout/Codegen/ArtifactWriter.h"
#include "grout/Dialect/Launch/IR/Launch.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace grout;

/// Returns the name of argument `index` of `block` in the text, without the
/// percent sign.
static std::string getTextName(const AsmParserState &state, Block *block,
                               unsigned index) {
  const AsmParserState::BlockDefinition *definition = state.getBlockDef(block);
  if (!definition || index >= definition->arguments.size())
    return "";
  SMRange range = definition->arguments[index].loc;
  StringRef text(range.Start.getPointer(),
                 range.End.getPointer() - range.Start.getPointer());
  text.consume_front("%");
  return text.str();
}

static TensorNames getNames(func::FuncOp func, const AsmParserState &state) {
  TensorNames names;
  for (unsigned i = 0, e = func.getNumArguments(); i != e; ++i) {
    auto name = func.getArgAttrOfType<StringAttr>(i, kTensorNameAttrName);
    names.inputs.push_back(name ? name.str()
                                : getTextName(state, &func.front(), i));
  }
  for (unsigned i = 0, e = func.getNumResults(); i != e; ++i) {
    auto name = func.getResultAttrOfType<StringAttr>(i, kTensorNameAttrName);
    names.outputs.push_back(name ? name.str() : "");
  }
  return names;
}

static LogicalResult verifyConcat(tensor::ConcatOp concat) {
  IntegerAttr dim = concat.getDimAttr();
  if (!dim || dim.getInt() >= 0)
    return success();
  return concat.emitOpError() << "concatenates dimension " << dim.getInt()
                              << ", and there is none before 0";
}

/// Checks the strides and dilations of `op`, a convolution or a pooling.
static LogicalResult verifyWindows(Operation *op) {
  for (StringRef name : {"strides", "dilations"})
    if (auto values = op->getAttrOfType<DenseIntElementsAttr>(name))
      for (const llvm::APInt &value : values)
        if (!value.isStrictlyPositive())
          return op->emitOpError()
                 << name << " must be positive, got "
                 << llvm::toString(value, /*Radix=*/10, /*Signed=*/true);
  return success();
}

/// Refuses wrong ops that upstream's verifiers crash at, accept, or refuse
/// without naming the problem.
static LogicalResult verifyBeforeUpstream(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) -> WalkResult {
    if (auto concat = dyn_cast<tensor::ConcatOp>(op))
      return verifyConcat(concat);
    if (isa<linalg::ConvolutionOpInterface>(op) && !isa<linalg::GenericOp>(op))
      return verifyWindows(op);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Returns the modules of kernels that reference plans of `module` launch.
static llvm::SmallDenseSet<StringAttr> findReferenceModules(ModuleOp module) {
  llvm::SmallDenseSet<StringAttr> names;
  for (auto plan : module.getOps<launch::PlanOp>())
    if (plan.getReference())
      for (auto kernel : plan.getBody().front().getOps<launch::KernelOp>())
        names.insert(kernel.getModuleAttr().getAttr());
  return names;
}

/// Checks that `module` has only functions, and plans with kernels for the CPU.
/// Later passes could not tell kernels for a GPU from kernels that they make of
/// the functions, except for kernels of reference plans, which exist before
/// these.
static LogicalResult checkOps(ModuleOp module) {
  llvm::SmallDenseSet<StringAttr> ofReferences = findReferenceModules(module);
  for (Operation &op : *module.getBody()) {
    auto device = dyn_cast<gpu::GPUModuleOp>(op);
    if (device && ofReferences.contains(device.getSymNameAttr()))
      continue;
    if (!isa<func::FuncOp, launch::PlanOp, ModuleOp>(op))
      return op.emitError()
             << "grout-compile takes a module of func.func, on tensors, and "
                "makes plans and kernels of them (or plans with kernels for "
                "the CPU); it does not take '"
             << op.getName() << "'";
  }
  return success();
}

Program grout::parseProgram(llvm::SourceMgr &sources, MLIRContext *context) {
  Program program;
  AsmParserState state;
  ParserConfig config(context, /*verifyAfterParse=*/false);
  llvm::MemoryBufferRef buffer =
      *sources.getMemoryBuffer(sources.getMainFileID());
  if (isBytecode(buffer)) {
    program.module = parseSourceFile<ModuleOp>(sources, config);
  } else {
    // Unlike parseSourceFile, this function fills in `state`, but adds no
    // module around the parsed ops.
    Block block;
    if (failed(parseAsmSourceFile(sources, &block, config, &state)))
      return program;
    program.module =
        mlir::detail::constructContainerOpForParserIfNecessary<ModuleOp>(
            &block, context,
            FileLineColLoc::get(context, buffer.getBufferIdentifier(), 1, 1));
  }
  if (!program.module)
    return program;
  if (failed(verifyBeforeUpstream(*program.module)) ||
      failed(verify(*program.module)) || failed(checkOps(*program.module))) {
    program.module = nullptr;
    return program;
  }
  removeHostFunctions(*program.module);
  for (auto func : program.module->getOps<func::FuncOp>())
    if (!func.isExternal())
      program.names[func.getSymName()] = getNames(func, state);
  return program;
}
