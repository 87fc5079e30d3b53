//===- TargetTest.cpp - Targets from outside ------------------------------===//
//
// Part of Grout. A GPU is added as an embedding compiler adds one: a table of
// limits, and the interfaces that another one has, too.
//
//===----------------------------------------------------------------------===//

#include "TestTargets.h"
#include "grout/Conversion/Passes.h"
#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Dialect/TSync/Transforms/ChainProgram.h"
#include "grout/Hopper/Attention/AttentionModel.h"
#include "grout/InitAllDialects.h"
#include "grout/Pipelines/Pipelines.h"
#include "grout/Processors/GPU/GPUCodegenPipeline.h"
#include "grout/Processors/GPU/GPULaunchGenerators.h"
#include "grout/Reports/TileSimulation.h"
#include "grout/Target/Transforms/Passes.h"
#include "mlir/Parser/Parser.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir;
using namespace grout;

namespace {

constexpr llvm::StringLiteral kProduct = R"(
  func.func @f(%x: tensor<512x1024xf16>, %w: tensor<1024x1024xf16>)
      -> tensor<512x1024xf16> {
    %zero = arith.constant 0.0 : f16
    %e = tensor.empty() : tensor<512x1024xf16>
    %z = linalg.fill ins(%zero : f16) outs(%e : tensor<512x1024xf16>)
         -> tensor<512x1024xf16>
    %y = linalg.matmul ins(%x, %w : tensor<512x1024xf16>, tensor<1024x1024xf16>)
         outs(%z : tensor<512x1024xf16>) -> tensor<512x1024xf16>
    return %y : tensor<512x1024xf16>
  })";

/// A Hopper GPU with a third of the processors, no clusters, and little shared
/// memory.
std::unique_ptr<Target> createSmallHopper() {
  TargetSpec spec = test::getSpec("h200", "small");
  spec.processors = 44;
  spec.sharedMemory = int64_t(100) * 1024;
  spec.clusters[0] = 44;
  spec.clusters[1] = spec.clusters[2] = spec.clusters[3] = 1;
  return test::createHopper(spec);
}

class TargetTest : public testing::Test {
protected:
  TargetTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    registerTarget(createSmallHopper());
  }

  /// `source`, compiled for `target`; null if that fails.
  OwningOpRef<ModuleOp> compile(llvm::StringRef target,
                                llvm::StringRef source = kProduct) {
    auto module = parseSourceString<ModuleOp>(source, &context);
    GroutPipelineOptions options;
    options.target = target.str();
    options.reference = false;
    PassManager passes(&context);
    buildGroutPipeline(passes, options);
    if (failed(passes.run(*module)))
      return {};
    return module;
  }

  MLIRContext context;
};

launch::KernelOp getLaunch(ModuleOp module) {
  auto plan = *module.getOps<launch::PlanOp>().begin();
  return *plan.getBody().front().getOps<launch::KernelOp>().begin();
}

TEST_F(TargetTest, KnowsThoseOfGroutAndOthers) {
  std::vector<std::string> names;
  for (const Target *target : getAllTargets())
    names.push_back(target->getName().str());
  EXPECT_THAT(names, testing::IsSupersetOf({"cpu", "h200", "small"}));
  EXPECT_TRUE(llvm::is_sorted(names));
  EXPECT_EQ(lookupTarget("abacus"), nullptr);
}

TEST_F(TargetTest, KernelsKeepToTheLimitsOfATargetFromOutside) {
  OwningOpRef<ModuleOp> large = compile("h200"), small = compile("small");
  ASSERT_TRUE(large && small);
  EXPECT_GT(getLaunch(*large).getSharedMemory(), int64_t(100) * 1024);
  EXPECT_LE(getLaunch(*small).getSharedMemory(), int64_t(100) * 1024);
}

TEST_F(TargetTest, MemoryBoundKernelsHaveItsConstants) {
  constexpr llvm::StringLiteral source = R"(
    func.func @f(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
      %e = tensor.empty() : tensor<4096x4096xf32>
      %y = linalg.exp ins(%x : tensor<4096x4096xf32>)
           outs(%e : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
      return %y : tensor<4096x4096xf32>
    })";
  TargetSpec spec = lookupTarget("small")->getSpec();
  spec.memoryBound.blockThreads /= 2;
  auto target = std::make_unique<Target>(spec);
  target->setInterface<LaunchGenerators>(
      std::make_unique<GPULaunchGenerators>());
  target->setInterface<CodegenPipeline>(std::make_unique<GPUCodegenPipeline>());
  registerTarget(std::move(target));
  OwningOpRef<ModuleOp> wide = compile("h200", source);
  OwningOpRef<ModuleOp> narrow = compile("small", source);
  ASSERT_TRUE(wide && narrow);
  EXPECT_EQ(getLaunch(*narrow).getBlock(), getLaunch(*wide).getBlock() / 2);
}

TEST_F(TargetTest, ErrorsNameATargetFromOutside) {
  // Rows of 2,046 bytes have no tensor map.
  std::string source = kProduct.str();
  for (size_t at; (at = source.find("512x1024")) != std::string::npos;)
    source.replace(at, 8, "512x1023");
  for (size_t at; (at = source.find("1024x1024")) != std::string::npos;)
    source.replace(at, 9, "1023x1023");
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message += diagnostic.str(); });
  EXPECT_FALSE(compile("small", source));
  EXPECT_THAT(message, testing::HasSubstr("cannot be compiled for small: "));
}

constexpr llvm::StringLiteral kTwoProducts = R"(
  func.func @f(%x: tensor<512x512xf16>, %w: tensor<512x512xf16>)
      -> tensor<512x512xf16> {
    %h = tgemm.matmul %x, %w : tensor<512x512xf16>, tensor<512x512xf16>
        -> tensor<512x512xf16>
    %y = tgemm.matmul %h, %w : tensor<512x512xf16>, tensor<512x512xf16>
        -> tensor<512x512xf16>
    return %y : tensor<512x512xf16>
  })";

/// Attention, before its tiles are chosen.
constexpr llvm::StringLiteral kAttention = R"(
  func.func @f(%q: tensor<1x4x128x64xf16>, %k: tensor<1x4x128x64xf16>)
      -> tensor<1x4x128x64xf16> {
    %0 = tgemm.attention %q, %k, %k {scale = 1.0 : f32}
        : tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16>,
          tensor<1x4x128x64xf16> -> tensor<1x4x128x64xf16>
    return %0 : tensor<1x4x128x64xf16>
  })";

/// A GPU whose launches do not start early.
std::unique_ptr<Target> createInOrderHopper() {
  TargetSpec spec = test::getSpec("h200", "small");
  spec.hasProgrammaticLaunch = false;
  const auto *model = static_cast<const hopper::HopperAttentionModel *>(
      lookupTarget("h200")->getInterface<tgemm::AttentionModel>());
  auto target = std::make_unique<Target>(spec);
  target->setInterface<tgemm::AttentionModel>(
      std::make_unique<hopper::HopperAttentionModel>(spec,
                                                     model->getConstants()));
  return target;
}

TEST_F(TargetTest, TheModelOfAttentionSaysWhetherItHasItsOwnLaunch) {
  registerTarget(createInOrderHopper());
  auto module = parseSourceString<ModuleOp>(kAttention, &context);
  PassManager passes(&context);
  passes.addPass(createGroutSetTarget({"small"}));
  passes.addNestedPass<func::FuncOp>(tgemm::createTGemmAssignAttentionTiling(
      {/*mode=*/tsync::ModeOption::Auto}));
  ASSERT_TRUE(succeeded(passes.run(*module)));
  auto func = *module->getOps<func::FuncOp>().begin();
  auto attention = *func.getOps<tgemm::AttentionOp>().begin();
  EXPECT_TRUE(attention->hasAttr(tsync::TSyncDialect::kOwnLaunchAttrName));
  auto execution = func->getAttrOfType<tsync::ExecutionAttr>(
      tsync::ExecutionAttr::getAttrName());
  ASSERT_TRUE(execution);
  EXPECT_EQ(execution.getMode(), tsync::Mode::serial);
}

/// Returns attention of 64 heads, before its tiles are chosen.
std::string getAttention(int64_t queries, int64_t keySize, int64_t valueSize,
                         bool isCausal) {
  auto getType = [&](int64_t size) {
    return "tensor<8x8x" + std::to_string(queries) + "x" +
           std::to_string(size) + "xf16>";
  };
  std::string key = getType(keySize), value = getType(valueSize);
  return "func.func @f(%q: " + key + ", %v: " + value + ") -> " + value +
         " {\n%0 = tgemm.attention %q, %q, %v {scale = 1.0 : f32" +
         (isCausal ? ", causal = 0" : "") + "} : " + key + ", " + key + ", " +
         value + " -> " + value + "\nreturn %0 : " + value + "\n}";
}

/// Tiles that are chosen for small heads are possible, whether they have 64,
/// 128 or 192 rows.
TEST_F(TargetTest, ChosenTilesOfSmallHeadsArePossible) {
  const auto *model =
      lookupTarget("h200")->getInterface<tgemm::AttentionModel>();
  std::set<int64_t> rows;
  for (int64_t queries : {65, 300, 512, 1024, 4096})
    for (int64_t keySize = 8; keySize <= 64; keySize += 8)
      for (int64_t valueSize = 8; valueSize <= 64; valueSize += 8)
        for (bool isCausal : {false, true}) {
          std::string text =
              getAttention(queries, keySize, valueSize, isCausal);
          SCOPED_TRACE(text);
          auto module = parseSourceString<ModuleOp>(text, &context);
          ASSERT_TRUE(module);
          auto func = *module->getOps<func::FuncOp>().begin();
          auto attention = *func.getOps<tgemm::AttentionOp>().begin();
          tgemm::AttentionTilingAttr tiling = model->chooseTiling(attention);
          EXPECT_EQ(model->findTilingProblem(attention, tiling), "");
          rows.insert(tiling.getM());
        }
  EXPECT_THAT(rows, testing::ElementsAre(64, 128, 192));
}

TEST_F(TargetTest, ATargetNeedsAName) {
  TargetSpec spec = lookupTarget("cpu")->getSpec();
  spec.name = "";
  EXPECT_DEATH(registerTarget(std::make_unique<Target>(spec)), "has no name");
}

TEST_F(TargetTest, ReferencesNeedGeneratorsOfKernels) {
  TargetSpec spec = test::getSpec("h200", "small");
  registerTarget(std::make_unique<Target>(spec));
  auto module = parseSourceString<ModuleOp>(kProduct, &context);
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  PassManager passes(&context);
  passes.addPass(createGroutSetTarget({"small"}));
  passes.addPass(createConvertLinalgToReference());
  ASSERT_TRUE(succeeded(passes.run(*module)));
  EXPECT_THAT(message, testing::HasSubstr("there are no kernels for small"));
  EXPECT_TRUE(module->getOps<launch::PlanOp>().empty());
}

/// When the last tile of two products, one of which reads the other's result,
/// ends on `target` in microseconds if launches wait for each other so.
double getEnd(ModuleOp module, const TargetSpec &target,
              tsync::LaunchWait wait) {
  auto func = *module.getOps<func::FuncOp>().begin();
  auto chain = *func.getOps<tsync::ChainOp>().begin();
  FailureOr<tsync::ChainProgram> program = tsync::ChainProgram::get(chain);
  if (failed(program))
    return 0;
  return cantFail(simulate(*program, target, {wait, wait})).end;
}

TEST_F(TargetTest, TimelinesHaveItsLaunchTime) {
  auto module = parseSourceString<ModuleOp>(kTwoProducts, &context);
  GroutPipelineOptions options;
  options.target = "small";
  options.mode = tsync::getModeOption(tsync::Mode::serial);
  options.reference = false;
  PassManager passes(&context);
  buildSynchronisedPipeline(passes, options);
  ASSERT_TRUE(succeeded(passes.run(*module)));
  TargetSpec quick = lookupTarget("small")->getSpec(), slow = quick;
  quick.launchTime = 2e-6;
  slow.launchTime = 5e-6;
  // One of the two launches comes after another.
  for (tsync::LaunchWait wait :
       {tsync::LaunchWait::BeforeStart, tsync::LaunchWait::BeforeUse})
    EXPECT_NEAR(getEnd(*module, slow, wait) - getEnd(*module, quick, wait), 3,
                1e-6);
  EXPECT_EQ(getEnd(*module, slow, tsync::LaunchWait::Never),
            getEnd(*module, quick, tsync::LaunchWait::Never));
}

TEST_F(TargetTest, AMissingTargetIsRefused) {
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  EXPECT_FALSE(compile("abacus"));
  EXPECT_THAT(message, testing::HasSubstr("unknown target 'abacus'"));
}

} // namespace
