//===- ConstraintTreePolicyTest.cpp - Policies from outside ---------------===//
//
// Part of Grout. Who steers schedules is added as an embedding compiler adds
// it: a class, and its registration.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTreePolicy.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/InitAllDialects.h"
#include "grout/Pipelines/Pipelines.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

namespace {

constexpr llvm::StringLiteral kKernel = R"(
  func.func @f(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
    %e = tensor.empty() : tensor<64x32xf32>
    %y = scop.kernel ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>)
        -> tensor<64x32xf32> {
    ^bb0(%X: memref<64x32xf32>, %Y: memref<64x32xf32>):
      scop.stmt @S domain [64, 32]
          reads(%X[(d0, d1) -> (d0, d1)] : memref<64x32xf32>)
          writes(%Y[(d0, d1) -> (d0, d1)] : memref<64x32xf32>) {
      ^bb0(%v: f32):
        %r = arith.addf %v, %v : f32
        scop.yield %r : f32
      }
    }
    return %y : tensor<64x32xf32>
  })";

/// Wants the last iterator of every statement outermost.
class InterchangePolicy : public ConstraintTreePolicy {
public:
  llvm::StringRef getName() const override { return "interchange"; }

  llvm::Expected<std::optional<ConstraintTree>>
  build(KernelOp kernel, const SchedulingProblem &,
        const ConstraintTreeOptions &) const override {
    auto node = std::make_unique<ConstraintTreeNode>();
    for (StmtOp statement : kernel.getStatements()) {
      unsigned last = statement.getNumIterators() - 1;
      for (unsigned position = 0; position <= last; ++position)
        node->constraints.push_back(
            {{{1, {statement.getSymName().str(), position, std::nullopt}}},
             position == last ? -1 : 0,
             /*equality=*/true});
    }
    ConstraintTree tree;
    tree.roots.push_back(std::move(node));
    return std::optional(std::move(tree));
  }
};

/// Builds trees that make no sense.
class NonsensePolicy : public ConstraintTreePolicy {
public:
  llvm::StringRef getName() const override { return "nonsense"; }

  llvm::Expected<std::optional<ConstraintTree>>
  build(KernelOp, const SchedulingProblem &,
        const ConstraintTreeOptions &) const override {
    ConstraintTree tree;
    tree.roots.push_back(isNull ? nullptr
                                : std::make_unique<ConstraintTreeNode>());
    if (!isNull)
      tree.roots.front()->constraints.push_back(
          {{{1, {"T", 0, std::nullopt}}}, 0, /*equality=*/true});
    return std::optional(std::move(tree));
  }

  static inline bool isNull = false;
};

class ConstraintTreePolicyTest : public testing::Test {
protected:
  ConstraintTreePolicyTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    registerConstraintTreePolicy(std::make_unique<InterchangePolicy>());
    registerConstraintTreePolicy(std::make_unique<NonsensePolicy>());
    module = parseSourceString<ModuleOp>(kKernel, &context);
    module->getOperation()->setAttr(
        "grout.target", parseAttribute("#grout.target<\"h200\">", &context));
  }

  /// The schedule of the kernel's statement; empty if that fails.
  std::string schedule(llvm::StringRef tree) {
    PassManager passes(&context);
    ScopScheduleOptions options;
    options.tree = tree.str();
    passes.addPass(createScopSchedule(options));
    passes.addPass(createScopVerifySchedule());
    std::string text;
    if (failed(passes.run(*module)))
      return text;
    module->walk([&](KernelOp kernel) {
      llvm::raw_string_ostream(text) << kernel.getScheduleAttr();
    });
    return text;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(ConstraintTreePolicyTest, OneFromOutsideSteersSchedules) {
  EXPECT_THAT(schedule("interchange"),
              testing::HasSubstr("(d0, d1) -> (d1, d0)"));
}

TEST_F(ConstraintTreePolicyTest, WithoutItTheOrderStays) {
  EXPECT_THAT(schedule("none"), testing::HasSubstr("(d0, d1) -> (d0, d1)"));
}

TEST_F(ConstraintTreePolicyTest, TreesThatMakeNoSenseAreRefused) {
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  for (bool isNull : {false, true}) {
    NonsensePolicy::isNull = isNull;
    std::string expected =
        std::string("cannot be steered by policy 'nonsense': constraint tree, "
                    "node 0") +
        (isNull ? ": the node is null"
                : " (linear T.0 = 0): there is no statement 'T'");
    EXPECT_EQ(schedule("nonsense"), "");
    EXPECT_THAT(message, testing::HasSubstr(expected));
    message.clear();
    PassManager passes(&context);
    ScopBuildConstraintTreeOptions options;
    options.policy = "nonsense";
    passes.addPass(createScopBuildConstraintTree(options));
    EXPECT_TRUE(failed(passes.run(*module)));
    EXPECT_THAT(message, testing::HasSubstr(expected));
  }
}

TEST_F(ConstraintTreePolicyTest, AnUnknownOneIsRefused) {
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  EXPECT_EQ(schedule("oak"), "");
  EXPECT_THAT(message, testing::HasSubstr("none, from-ir, akg, auto, "
                                          "interchange"));
}

TEST_F(ConstraintTreePolicyTest, ItSteersThePipeline) {
  OwningOpRef<ModuleOp> source = parseSourceString<ModuleOp>(R"(
    func.func @f(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
      %e = tensor.empty() : tensor<64x32xf32>
      %y = linalg.exp ins(%x : tensor<64x32xf32>)
          outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
      return %y : tensor<64x32xf32>
    })",
                                                             &context);
  GroutPipelineOptions options;
  options.target = "h200";
  options.scopTree = "interchange";
  options.reference = false;
  PassManager passes(&context);
  buildGroutPipeline(passes, options);
  EXPECT_TRUE(succeeded(passes.run(*source)));
}

} // namespace
