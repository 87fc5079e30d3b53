//===- DecompositionTest.cpp - What ops from outside consist of -----------===//
//
// Part of Grout. References are made from what ops say that they consist of.
// Whatever they say, there is a reference, a remark, or an error.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Passes.h"
#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/InitAllDialects.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace grout;

namespace {

/// Copies a tensor, and says what the attribute `answer` tells it to.
class CopyOp : public Op<CopyOp, OpTrait::ZeroRegions, OpTrait::OneResult,
                         OpTrait::ZeroSuccessors, OpTrait::OneOperand,
                         MemoryEffectOpInterface::Trait,
                         linalg::AggregatedOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CopyOp)
  using Op::Op;

  static StringRef getOperationName() { return "answers.copy"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  void getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &) {}

  Value clone(OpBuilder &builder, StringRef answer) {
    Operation *copy = builder.clone(*getOperation());
    copy->setAttr("answer", builder.getStringAttr(answer));
    return copy->getResult(0);
  }

  FailureOr<SmallVector<Value>> decomposeOperation(OpBuilder &builder) {
    Operation *op = getOperation();
    StringRef answer = op->getAttrOfType<StringAttr>("answer").getValue();
    Location loc = getLoc();
    Value operand = op->getOperand(0);
    if (answer == "fails")
      return failure();
    if (answer == "nothing")
      return SmallVector<Value>{};
    if (answer == "null")
      return SmallVector<Value>{Value()};
    if (answer == "itself")
      return SmallVector<Value>{clone(builder, answer)};
    if (answer == "in two steps")
      return SmallVector<Value>{clone(builder, "well")};
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Value empty = tensor::EmptyOp::create(
        builder, loc,
        answer == "another type" ? ArrayRef<int64_t>{5} : type.getShape(),
        type.getElementType());
    if (answer == "another type")
      return SmallVector<Value>{empty};
    auto copy = linalg::CopyOp::create(builder, loc, operand, empty);
    if (answer == "invalid")
      copy->setOperand(0, copy->getResult(0));
    return SmallVector<Value>{copy->getResult(0)};
  }
};

class AnswersDialect : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AnswersDialect)
  explicit AnswersDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<AnswersDialect>()) {
    addOperations<CopyOp>();
  }
  static StringRef getDialectNamespace() { return "answers"; }
};

class DecompositionTest : public testing::Test {
protected:
  DecompositionTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registry.insert<AnswersDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.getDiagEngine().registerHandler(
        [&](Diagnostic &diagnostic) { messages += diagnostic.str() + "\n"; });
  }

  /// Whether the reference of an op that says `answer` is made; none with an
  /// error.
  std::optional<bool> makesReference(StringRef answer) {
    messages.clear();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
        ("module attributes {grout.target = #grout.target<\"cpu\">} {"
         "  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {"
         "    %y = \"answers.copy\"(%x) {answer = \"" +
         answer +
         "\"} : (tensor<4xf32>) -> tensor<4xf32>"
         "    return %y : tensor<4xf32>"
         "  }"
         "}")
            .str(),
        &context);
    PassManager passes(&context);
    passes.addPass(createConvertLinalgToReference());
    if (failed(passes.run(*module)))
      return std::nullopt;
    return !module->getOps<launch::PlanOp>().empty();
  }

  MLIRContext context;
  std::string messages;
};

TEST_F(DecompositionTest, GoodOnesMakeReferences) {
  for (StringRef answer : {"well", "in two steps"})
    EXPECT_EQ(makesReference(answer), true) << answer.str() << messages;
}

TEST_F(DecompositionTest, WithoutOneThereIsARemark) {
  for (StringRef answer : {"fails", "itself"}) {
    EXPECT_EQ(makesReference(answer), false) << answer.str();
    EXPECT_THAT(messages, testing::HasSubstr("'answers.copy' has no plain "
                                             "kernel: its decomposition "
                                             "(AggregatedOpInterface) fails, "
                                             "or never ends"));
  }
}

TEST_F(DecompositionTest, BadOnesAreErrors) {
  for (auto [answer, message] :
       {std::pair("nothing", "but gives none"),
        std::pair("null", "but gives null"),
        std::pair("another type", "but gives 1 of types 'tensor<5xf32>'"),
        std::pair("invalid", "ops of 'f' do not decompose "
                             "(AggregatedOpInterface) into valid ops")}) {
    EXPECT_EQ(makesReference(answer), std::nullopt) << answer;
    EXPECT_THAT(messages, testing::HasSubstr(message));
  }
}

} // namespace
