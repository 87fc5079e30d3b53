//===- RandomTargetTest.cpp - GPUs with limits that can't be --------------===//
//
// Part of Grout. A GPU from outside has fields that no GPU can have. There is
// an error that names it, or kernels that keep to its limits.
//
//===----------------------------------------------------------------------===//

#include "../Analysis/Seeds.h"
#include "../Target/TestTargets.h"
#include "FuzzedTarget.h"
#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/InitAllDialects.h"
#include "grout/Pipelines/Pipelines.h"
#include "mlir/Parser/Parser.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace grout;
using namespace grout::test;

namespace {

/// Two products, and a memory-bound kernel with a sum over rows.
constexpr llvm::StringLiteral kSource = R"(
  func.func @f(%x: tensor<128x256xf16>, %w: tensor<256x256xf16>,
               %s: tensor<96x200xf32>)
      -> (tensor<128x256xf16>, tensor<96xf32>) {
    %h = tgemm.matmul %x, %w : tensor<128x256xf16>, tensor<256x256xf16>
        -> tensor<128x256xf16>
    %y = tgemm.matmul %h, %w : tensor<128x256xf16>, tensor<256x256xf16>
        -> tensor<128x256xf16>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<96xf32>
    %start = linalg.fill ins(%zero : f32) outs(%e : tensor<96xf32>)
        -> tensor<96xf32>
    %sum = linalg.reduce ins(%s : tensor<96x200xf32>)
        outs(%start : tensor<96xf32>) dimensions = [1]
        (%in: f32, %out: f32) {
          %exp = math.exp %in : f32
          %add = arith.addf %exp, %out : f32
          linalg.yield %add : f32
        }
    return %y, %sum : tensor<128x256xf16>, tensor<96xf32>
  })";

class RandomTargetTest : public testing::Test {
protected:
  RandomTargetTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// kSource for "fuzz-gpu"; null with `errors`.
  OwningOpRef<ModuleOp> compile(tsync::Mode mode) {
    errors.clear();
    auto module = parseSourceString<ModuleOp>(kSource, &context, "source");
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors.push_back({diagnostic.getLocation(), diagnostic.str()});
    });
    GroutPipelineOptions options;
    options.target = "fuzz-gpu";
    options.mode = tsync::getModeOption(mode);
    options.reference = false;
    PassManager passes(&context);
    buildGroutPipeline(passes, options);
    if (failed(passes.run(*module)))
      return {};
    return module;
  }

  MLIRContext context;
  std::vector<std::pair<Location, std::string>> errors;
};

/// Expects the kernels of `module` to keep to `spec`.
void expectLimits(ModuleOp module, const TargetSpec &spec) {
  module.walk([&](launch::KernelOp kernel) {
    EXPECT_LE(static_cast<int64_t>(kernel.getSharedMemory()),
              spec.sharedMemory);
    EXPECT_LE(static_cast<int64_t>(kernel.getBlock()), spec.processorThreads);
  });
}

TEST_F(RandomTargetTest, ErrorsNameTheField) {
  TargetSpec spec = getSpec("h200", "fuzz-gpu");
  spec.processorThreads = 2;
  registerTarget(createHopper(spec));
  EXPECT_FALSE(compile(tsync::Mode::serial));
  ASSERT_FALSE(errors.empty());
  EXPECT_EQ(errors.front().second,
            "target 'fuzz-gpu' cannot be: processorThreads is 2, but must be "
            "from 1024 to 2147483647");
}

TEST_F(RandomTargetTest, ClustersOfSomeSizesAloneAreRefused) {
  TargetSpec spec = getSpec("h200", "fuzz-gpu");
  spec.clusters[3] = 0;
  registerTarget(createHopper(spec));
  EXPECT_FALSE(compile(tsync::Mode::serial));
  EXPECT_EQ(errors.front().second, "target 'fuzz-gpu' cannot be: clusters[3] "
                                   "is 0, but must be from 1 to 2147483647");
}

TEST_F(RandomTargetTest, KernelsAreRefusedOrKeepToLimits) {
  unsigned numRefused = 0, numCompiled = 0;
  Seeds seeds(1, 20);
  for (unsigned seed : seeds) {
    std::mt19937 random(seed);
    TargetSpec spec = getSpec("h200", "fuzz-gpu");
    std::string faults;
    for (unsigned number = random() % 3; number != 0; --number)
      faults += damageSpec(spec, random) + "; ";
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + faults);
    registerTarget(createHopper(spec));
    constexpr tsync::Mode modes[] = {tsync::Mode::serial,
                                     tsync::Mode::persistent, tsync::Mode::pdl,
                                     tsync::Mode::overlap};
    if (auto module = compile(modes[random() % std::size(modes)])) {
      expectLimits(*module, spec);
      ++numCompiled;
      continue;
    }
    ++numRefused;
    EXPECT_NE(faults, "");
    ASSERT_FALSE(errors.empty()) << "it fails without a word";
    EXPECT_FALSE(isa<UnknownLoc>(errors.front().first));
    EXPECT_THAT(errors.front().second, testing::HasSubstr("fuzz-gpu"));
  }
  if (seeds.areDefault()) {
    EXPECT_GT(numRefused, 4u);
    EXPECT_GT(numCompiled, 4u);
  }
}

} // namespace
