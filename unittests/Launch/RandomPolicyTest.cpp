//===- RandomPolicyTest.cpp - Policies that do anything -------------------===//
//
// Part of Grout. Whatever a policy from outside does to a plan, the plan is
// refused, or the artifact computes what it did before.
//
//===----------------------------------------------------------------------===//

#include "../Analysis/Seeds.h"
#include "../Outsiders/FuzzedPolicy.h"
#include "../Outsiders/RunArtifact.h"
#include "grout/Codegen/ArtifactWriter.h"
#include "grout/Dialect/Launch/Transforms/SchedulingPolicy.h"
#include "grout/InitAllDialects.h"
#include "grout/Pipelines/Pipelines.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace grout;
using namespace grout::launch;
using namespace grout::test;

namespace {

constexpr int64_t kSize = 16;

/// o0 = (x w) (w x) and o1 = (x x) w, with two products in one buffer.
constexpr llvm::StringLiteral kPlan = R"(
  launch.plan @f inputs 2 {
  ^bb0(%x: memref<16x16xf32>, %w: memref<16x16xf32>, %o0: memref<16x16xf32>,
       %o1: memref<16x16xf32>):
    %h = launch.buffer "h" : memref<16x16xf32>
    %g = launch.buffer "g" : memref<16x16xf32>
    %a = launch.tiles "a" ins(%x, %w) outs(%h)
        : (memref<16x16xf32>, memref<16x16xf32>) -> memref<16x16xf32> {
    ^bb0(%l: tensor<16x16xf32>, %r: tensor<16x16xf32>):
      %y = tgemm.matmul %l, %r {tiling = #tgemm.tiling<m = 8, n = 8, k = 8>}
        : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      launch.yield %y : tensor<16x16xf32>
    }
    %b = launch.tiles "b" ins(%w, %x) outs(%g)
        : (memref<16x16xf32>, memref<16x16xf32>) -> memref<16x16xf32> {
    ^bb0(%l: tensor<16x16xf32>, %r: tensor<16x16xf32>):
      %y = tgemm.matmul %l, %r {tiling = #tgemm.tiling<m = 8, n = 8, k = 8>}
        : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      launch.yield %y : tensor<16x16xf32>
    }
    %c = launch.tiles "c" ins(%h, %g) outs(%o0) after full(%a), full(%b)
        : (memref<16x16xf32>, memref<16x16xf32>) -> memref<16x16xf32> {
    ^bb0(%l: tensor<16x16xf32>, %r: tensor<16x16xf32>):
      %y = tgemm.matmul %l, %r {tiling = #tgemm.tiling<m = 8, n = 8, k = 8>}
        : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      launch.yield %y : tensor<16x16xf32>
    }
    %d = launch.tiles "d" ins(%x, %x) outs(%h) after full(%a), full(%c)
        : (memref<16x16xf32>, memref<16x16xf32>) -> memref<16x16xf32> {
    ^bb0(%l: tensor<16x16xf32>, %r: tensor<16x16xf32>):
      %y = tgemm.matmul %l, %r {tiling = #tgemm.tiling<m = 8, n = 8, k = 8>}
        : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      launch.yield %y : tensor<16x16xf32>
    }
    %e = launch.tiles "e" ins(%h, %w) outs(%o1) after full(%d)
        : (memref<16x16xf32>, memref<16x16xf32>) -> memref<16x16xf32> {
    ^bb0(%l: tensor<16x16xf32>, %r: tensor<16x16xf32>):
      %y = tgemm.matmul %l, %r {tiling = #tgemm.tiling<m = 8, n = 8, k = 8>}
        : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      launch.yield %y : tensor<16x16xf32>
    }
  })";

struct alignas(GROUT_BUFFER_ALIGNMENT) Matrix {
  float elements[kSize][kSize];
};

Matrix multiply(const Matrix &lhs, const Matrix &rhs) {
  Matrix product = {};
  for (int64_t i = 0; i != kSize; ++i)
    for (int64_t j = 0; j != kSize; ++j)
      for (int64_t k = 0; k != kSize; ++k)
        product.elements[i][j] += lhs.elements[i][k] * rhs.elements[k][j];
  return product;
}

/// Does one thing to the launches "a" and "c".
class OneActionPolicy : public SchedulingPolicy {
public:
  explicit OneActionPolicy(Action action) : action(action) {}
  llvm::StringRef getName() const override { return "anything"; }

  LogicalResult schedule(PlanOp plan, const TargetSpec &) const override {
    SmallVector<TilesOp> launches =
        llvm::to_vector(plan.getBody().front().getOps<TilesOp>());
    act(action, plan, launches[0], launches[2]);
    if (leavesPlanWhole(action))
      orderInSequence(plan);
    return success();
  }

private:
  Action action;
};

class RandomPolicyTest : public testing::Test {
protected:
  RandomPolicyTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.getDiagEngine().registerHandler(
        [&](Diagnostic &diagnostic) { messages += diagnostic.str() + "\n"; });
    std::mt19937 chance(1);
    std::uniform_real_distribution<float> element(-1, 1);
    for (Matrix &input : inputs)
      for (auto &row : input.elements)
        for (float &value : row)
          value = element(chance);
  }

  /// The artifact of kPlan, or none with an error.
  FailureOr<std::vector<uint8_t>> compile() {
    auto module = parseSourceString<ModuleOp>(kPlan, &context);
    GroutPipelineOptions options;
    options.target = "cpu";
    options.launchPolicy = "anything";
    module->getOperation()->setAttr(
        "grout.target", parseAttribute("#grout.target<\"cpu\">", &context));
    PassManager passes(&context);
    buildKernelPipeline(passes, options);
    if (failed(passes.run(*module)))
      return failure();
    return writeArtifact(*module, {});
  }

  void expectRight(const std::vector<uint8_t> &artifact) {
    const auto &[x, w] = inputs;
    Matrix expected[] = {multiply(multiply(x, w), multiply(w, x)),
                         multiply(multiply(x, x), w)};
    Matrix outputs[2] = {};
    const void *in[] = {&x, &w};
    void *out[] = {&outputs[0], &outputs[1]};
    ASSERT_EQ(runArtifact(artifact, /*seed=*/1, in, out), "");
    for (unsigned output = 0; output != 2; ++output)
      for (int64_t i = 0; i != kSize; ++i)
        for (int64_t j = 0; j != kSize; ++j)
          ASSERT_NEAR(outputs[output].elements[i][j],
                      expected[output].elements[i][j], 1e-3);
  }

  MLIRContext context;
  std::string messages;
  Matrix inputs[2];
};

TEST_F(RandomPolicyTest, WhatIsRefusedIsNamed) {
  for (auto [action, message] : {
           std::pair(Action::Erase, "launch 'a' was erased by policy"),
           std::pair(Action::EraseWithUses, "launch 'a' was erased by policy"),
           std::pair(Action::LoseOperand, "launch 'c' was left without an "
                                          "operand by policy"),
           std::pair(Action::Duplicate, "launch 'a' was added by policy"),
           std::pair(Action::Replace, "launch 'a' was added by policy"),
           std::pair(Action::Move, "launch 'c' was moved before launch 'a'"),
           std::pair(Action::MoveAlone, "launch 'c' was moved before"),
           std::pair(Action::SwapInputs, "launch 'a' was altered by policy"),
           std::pair(Action::ChangeInput, "launch 'c' was altered by policy"),
           std::pair(Action::ChangeOutput, "launch 'c' was altered by policy"),
           std::pair(Action::ChangeBody, "launch 'a' was altered by policy"),
           std::pair(Action::ChangeBuffer, "'launch.buffer' was altered by"),
           std::pair(Action::Rename, "launch 'other' was altered by policy"),
           std::pair(Action::SetResidents, "launch 'a' was altered by policy"),
           std::pair(Action::LoseEdgeKinds, "has 2 tokens, but 0 edges"),
           std::pair(Action::ErasePlan, "plan 'f' was erased by policy"),
           std::pair(Action::ReplacePlan, "plan 'f' was erased by policy"),
           std::pair(Action::AddBeside, "ops beside plan 'f' were added"),
           std::pair(Action::EmptyPlan, "'launch.buffer' was erased by policy"),
           std::pair(Action::EraseAll, "launch 'a' was erased by policy"),
           std::pair(Action::EraseBlock, "was altered by policy"),
           std::pair(Action::ChangeArgument, "was altered by policy"),
           std::pair(Action::AddOp, "was added by policy"),
           std::pair(Action::MoveInto, "launch 'c' was erased by policy"),
           std::pair(Action::EraseKernel, "launch 'a' was left without"),
           std::pair(Action::EraseYield, "launch 'a' was altered by policy"),
           std::pair(Action::LoseKernelOperand, "launch 'a' was left without"),
           std::pair(Action::ChangeType, "launch 'a' was altered by policy"),
       }) {
    registerSchedulingPolicy(std::make_unique<OneActionPolicy>(action));
    messages.clear();
    EXPECT_TRUE(failed(compile())) << message;
    EXPECT_THAT(messages, testing::HasSubstr(message));
  }
}

TEST_F(RandomPolicyTest, WhatIsAllowedRunsRight) {
  for (Action action :
       {Action::Nothing, Action::DropEdges, Action::SetTrigger}) {
    registerSchedulingPolicy(std::make_unique<OneActionPolicy>(action));
    FailureOr<std::vector<uint8_t>> artifact = compile();
    ASSERT_TRUE(succeeded(artifact)) << messages;
    expectRight(*artifact);
  }
}

TEST_F(RandomPolicyTest, PlansAreRefusedOrRunRight) {
  unsigned numRefused = 0, numRun = 0;
  test::Seeds seeds(1, 50);
  for (unsigned seed : seeds) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    registerSchedulingPolicy(createFuzzedPolicy(seed, seed % 3));
    messages.clear();
    FailureOr<std::vector<uint8_t>> artifact = compile();
    if (failed(artifact)) {
      EXPECT_THAT(messages, testing::HasSubstr("policy 'anything'"));
      ++numRefused;
      continue;
    }
    expectRight(*artifact);
    ++numRun;
  }
  if (seeds.areDefault()) {
    EXPECT_GT(numRefused, 10u);
    EXPECT_GT(numRun, 10u);
  }
}

} // namespace
