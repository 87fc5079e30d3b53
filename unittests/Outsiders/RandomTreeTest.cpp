//===- RandomTreeTest.cpp - Constraint trees of any kind ------------------===//
//
// Part of Grout. Whatever tree a policy from outside builds for a random
// kernel, there is an error that names the policy, or the kernel computes what
// its statements mean.
//
//===----------------------------------------------------------------------===//

#include "../Analysis/Seeds.h"
#include "FuzzedTree.h"
#include "RandomKernel.h"
#include "grout/Codegen/Native.h"
#include "grout/Conversion/Passes.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/InitAllDialects.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/ExecutionEngine/CRunnerUtils.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/TargetSelect.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace grout;
using namespace grout::test;

namespace {

class RandomTreeTest : public testing::Test {
protected:
  RandomTreeTest() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    DialectRegistry registry;
    registerAllDialects(registry);
    registerBuiltinDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// `source`, scheduled by the policy's tree, in the LLVM dialect; null with
  /// `errors`.
  OwningOpRef<ModuleOp> compile(llvm::StringRef source) {
    errors.clear();
    auto module = parseSourceString<ModuleOp>(
        ("module { module {" + source + "} }").str(), &context, "kernel");
    module->getOperation()->setAttr(
        "grout.target", parseAttribute("#grout.target<\"h200\">", &context));
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors.push_back({diagnostic.getLocation(), diagnostic.str()});
    });
    PassManager passes(&context);
    scop::ScopScheduleOptions options;
    options.tree = "any-tree";
    passes.addPass(scop::createScopSchedule(options));
    passes.addPass(scop::createScopVerifySchedule());
    passes.nest<ModuleOp>().addNestedPass<func::FuncOp>(
        createConvertScopToLoops());
    buildCPUKernelPipeline(passes);
    if (failed(passes.run(*module)))
      return {};
    auto kernels = cast<ModuleOp>(module->getBody()->front());
    kernels->remove();
    return OwningOpRef<ModuleOp>(kernels);
  }

  /// Runs @f of `module`, and compares with what `kernel` means.
  static void expectRight(const RandomKernel &kernel, ModuleOp module) {
    auto engine = ExecutionEngine::create(module);
    ASSERT_TRUE(bool(engine)) << llvm::toString(engine.takeError());
    Square array;
    for (size_t i = 0; i != array.size(); ++i)
      array[i] = static_cast<int32_t>(i * i % 101);
    Square expected = kernel.compute(array);
    StridedMemRefType<int32_t, 2> descriptor = {
        array.data(), array.data(), 0, {kSide, kSide}, {kSide, 1}};
    StridedMemRefType<int32_t, 2> *pointer = &descriptor;
    llvm::cantFail((*engine)->invoke("f", pointer));
    EXPECT_EQ(array, expected);
  }

  MLIRContext context;
  std::vector<std::pair<Location, std::string>> errors;
};

TEST_F(RandomTreeTest, KernelsAreRefusedOrRunRight) {
  unsigned numRefused = 0, numRun = 0;
  Seeds seeds(1, 40);
  for (unsigned seed : seeds) {
    std::mt19937 random(seed);
    RandomKernel kernel(random);
    std::string source = kernel.str();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + source);
    scop::registerConstraintTreePolicy(createFuzzedTree(random()));
    if (OwningOpRef<ModuleOp> module = compile(source)) {
      expectRight(kernel, *module);
      ++numRun;
      continue;
    }
    ++numRefused;
    ASSERT_FALSE(errors.empty()) << "it fails without a word";
    EXPECT_FALSE(isa<UnknownLoc>(errors.front().first));
    EXPECT_THAT(errors.front().second, testing::HasSubstr("'any-tree'"));
  }
  if (seeds.areDefault()) {
    EXPECT_GT(numRefused, 5u);
    EXPECT_GT(numRun, 5u);
  }
}

} // namespace
