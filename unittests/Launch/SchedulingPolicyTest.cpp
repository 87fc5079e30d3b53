//===- SchedulingPolicyTest.cpp - Policies from outside -------------------===//
//
// Part of Grout. A policy is added as an embedding compiler adds one: a class,
// and its registration.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/Transforms/SchedulingPolicy.h"
#include "grout/Conversion/Passes.h"
#include "grout/Dialect/Launch/IR/LaunchOrder.h"
#include "grout/Dialect/Launch/Transforms/Passes.h"
#include "grout/InitAllDialects.h"
#include "grout/Pipelines/Pipelines.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

namespace {

/// Three products that need nothing of each other, and one of two of them.
constexpr llvm::StringLiteral kProducts = R"(
  func.func @f(%x: tensor<128x128xf16>, %w: tensor<128x128xf16>)
      -> (tensor<128x128xf16>, tensor<128x128xf16>) {
    %0:2 = tsync.chain mode(serial)
        : tensor<128x128xf16>, tensor<128x128xf16> {
      %a = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
        : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
      %b = tgemm.matmul %w, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
        : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
      %c = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
        : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
      %d = tgemm.matmul %a, %b {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
        : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
      tsync.dependence %a -> %d operand 0
        : tensor<128x128xf16>, tensor<128x128xf16>
      tsync.dependence %b -> %d operand 1
        : tensor<128x128xf16>, tensor<128x128xf16>
      tsync.yield %c, %d : tensor<128x128xf16>, tensor<128x128xf16>
    }
    return %0#0, %0#1 : tensor<128x128xf16>, tensor<128x128xf16>
  })";

/// Puts launches that need nothing of each other in reverse order.
class ReversePolicy : public SchedulingPolicy {
public:
  llvm::StringRef getName() const override { return "reverse"; }

  LogicalResult schedule(PlanOp plan, const TargetSpec &) const override {
    SmallVector<LaunchOpInterface> left = llvm::to_vector(plan.getLaunches());
    auto isReady = [&](LaunchOpInterface launch) {
      return llvm::none_of(launch.getAfter(), [&](Value token) {
        return llvm::any_of(left, [&](LaunchOpInterface other) {
          return other.getToken() == token;
        });
      });
    };
    while (!left.empty()) {
      auto next = std::find_if(left.rbegin(), left.rend(), isReady);
      (*next)->moveBefore(&plan.getBody().front(),
                          plan.getBody().front().end());
      left.erase(std::next(next).base());
    }
    orderInSequence(plan);
    return success();
  }
};

/// Does not look at what launches need.
class CarelessPolicy : public SchedulingPolicy {
public:
  llvm::StringRef getName() const override { return "careless"; }

  LogicalResult schedule(PlanOp plan, const TargetSpec &) const override {
    for (LaunchOpInterface launch : plan.getLaunches()) {
      launch.getAfterMutable().clear();
      launch.setEdges({});
    }
    return success();
  }
};

class SchedulingPolicyTest : public testing::TestWithParam<const char *> {
protected:
  SchedulingPolicyTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    registerSchedulingPolicy(std::make_unique<ReversePolicy>());
    registerSchedulingPolicy(std::make_unique<CarelessPolicy>());
    module = parseSourceString<ModuleOp>(kProducts, &context);
    module->getOperation()->setAttr(
        "grout.target",
        parseAttribute(std::string("#grout.target<\"") + GetParam() + "\">",
                       &context));
  }

  LogicalResult run(llvm::StringRef policy) {
    PassManager passes(&context);
    passes.addPass(createLaunchFormPlans());
    LaunchScheduleOptions options;
    options.policy = policy.str();
    passes.addPass(createLaunchSchedule(options));
    passes.addPass(createConvertTilesToKernels());
    return passes.run(*module);
  }

  std::vector<std::string> getNames() {
    std::vector<std::string> names;
    for (auto plan : module->getOps<PlanOp>())
      for (LaunchOpInterface launch : plan.getLaunches())
        names.push_back(launch.getName().str());
    return names;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_P(SchedulingPolicyTest, SequentialKeepsTheOrder) {
  ASSERT_TRUE(succeeded(run("serial")));
  EXPECT_THAT(getNames(),
              testing::ElementsAre("f_chain0_kernel0", "f_chain0_kernel1",
                                   "f_chain0_kernel2", "f_chain0_kernel3"));
}

TEST_P(SchedulingPolicyTest, OneFromOutsideReversesWhatIsIndependent) {
  ASSERT_TRUE(succeeded(run("reverse")));
  EXPECT_THAT(getNames(),
              testing::ElementsAre("f_chain0_kernel2", "f_chain0_kernel1",
                                   "f_chain0_kernel0", "f_chain0_kernel3"));
  // One after another.
  auto plan = *module->getOps<PlanOp>().begin();
  LaunchOrder order(plan);
  LaunchOpInterface previous;
  for (LaunchOpInterface launch : plan.getLaunches()) {
    if (previous) {
      EXPECT_TRUE(order.hasEndedAtStart(previous, launch));
    }
    previous = launch;
  }
}

TEST_P(SchedulingPolicyTest, PlansAreVerifiedBehindIt) {
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message += diagnostic.str(); });
  EXPECT_TRUE(failed(run("careless")));
  EXPECT_THAT(message, testing::HasSubstr("reads a buffer, and is not ordered "
                                          "after a launch that accesses it"));
}

TEST_P(SchedulingPolicyTest, AnUnknownOneIsRefused) {
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  EXPECT_TRUE(failed(run("perfect")));
  EXPECT_THAT(message, testing::HasSubstr("unknown policy 'perfect'"));
  // Other tests of the process may have registered more.
  for (llvm::StringRef policy :
       {"careless", "nimble", "opara", "reverse", "serial", "wave"})
    EXPECT_THAT(message, testing::ContainsRegex("are .*" + policy.str()));
}

TEST_P(SchedulingPolicyTest, ThePipelineTakesOne) {
  GroutPipelineOptions options;
  options.target = GetParam();
  options.reference = false;
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  for (std::string policy : {"reverse", "perfect"}) {
    OwningOpRef<Operation *> copy = module->getOperation()->clone();
    options.launchPolicy = policy;
    PassManager passes(&context);
    buildKernelPipeline(passes, options);
    EXPECT_EQ(succeeded(passes.run(*copy)), policy == "reverse");
  }
  EXPECT_THAT(message, testing::HasSubstr("unknown policy 'perfect'"));
}

INSTANTIATE_TEST_SUITE_P(Targets, SchedulingPolicyTest,
                         testing::Values("cpu", "h200"));

} // namespace
