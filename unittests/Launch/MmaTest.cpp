//===- MmaTest.cpp - A matrix instruction from outside --------------------===//
//
// Part of Grout. A matrix instruction that Grout does not know is added as an
// embedding compiler adds one. The kernels that multiply with it have all their
// other parts from Grout.
//
//===----------------------------------------------------------------------===//

#include "../Target/TestTargets.h"
#include "grout/Codegen/PTX.h"
#include "grout/Hopper/Gemm/ProductLaunchGenerator.h"
#include "grout/InitAllDialects.h"
#include "grout/Pipelines/Pipelines.h"
#include "mlir/Parser/Parser.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace grout;

namespace {

//===----------------------------------------------------------------------===//
// The instruction
//===----------------------------------------------------------------------===//

/// Multiplies bf16, and is otherwise as different from wgmma as can be: twice
/// as deep, with operands that are contiguous along the reduction, and with
/// sums in a memory of its own, of up to 128 elements of the reduction.
class ToyMma : public hopper::Mma {
public:
  std::optional<hopper::MmaTraits> findTraits(FloatType type) const override {
    if (!type.isBF16())
      return std::nullopt;
    return hopper::MmaTraits{"toy", /*elementBytes=*/2, /*depth=*/32,
                             /*takesMNMajor=*/false, /*sumDepth=*/128};
  }

  /// An address stands for the sums.
  Value emitSums(hopper::DeviceBuilder &b,
                 const hopper::MmaShape &shape) const override {
    return b.i32(shape.columns);
  }
  Value emitOperand(hopper::DeviceBuilder &b, Value address,
                    const hopper::MmaLayout &layout) const override {
    EXPECT_FALSE(layout.isMNMajor);
    return address;
  }
  Value emitMoved(hopper::DeviceBuilder &b, Value operand,
                  int64_t bytes) const override {
    return b.add(operand, bytes);
  }
  SmallVector<Value> emitFence(hopper::DeviceBuilder &b,
                               ValueRange sums) const override {
    return sums;
  }
  Value emit(hopper::DeviceBuilder &b, const hopper::MmaShape &shape,
             Value sums, Value operandA, Value operandB, Value keeps,
             int64_t count) const override {
    std::string code = "toy.mma.n" + std::to_string(shape.columns) + ".times" +
                       std::to_string(count) + " [$0], $2, $3, $4;";
    return b.assembly(sums.getType(), {sums, operandA, operandB, keeps}, code,
                      "=r,0,r,r,r", /*touchesMemory=*/true);
  }
  void emitGroup(hopper::DeviceBuilder &b) const override {
    b.assembly(Type(), {}, "toy.group;", "", /*touchesMemory=*/true);
  }
  void emitWait(hopper::DeviceBuilder &b, int64_t pending) const override {
    b.assembly(Type(), {}, "toy.wait " + std::to_string(pending) + ";", "",
               /*touchesMemory=*/true);
  }
  SmallVector<Value> emitFinish(hopper::DeviceBuilder &b, ValueRange sums,
                                int64_t columns,
                                int64_t pending) const override {
    emitWait(b, pending);
    SmallVector<Type> types(columns / 2, b.getF32Type());
    Type type = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
    std::string constraints;
    for (int64_t i = 0; i != columns / 2; ++i)
      constraints += "=f,";
    std::string code = "toy.read $0, [$" + std::to_string(columns / 2) + "];";
    SmallVector<Value> accumulators;
    for (Value sum : sums)
      accumulators.push_back(b.assembly(type, sum, code, constraints + "r",
                                        /*touchesMemory=*/true));
    return accumulators;
  }
};

/// An H200 that has it.
std::unique_ptr<Target> createToyGPU() {
  auto generator = std::make_unique<hopper::ProductLaunchGenerator>();
  generator->add(std::make_unique<ToyMma>());
  return test::createHopper(test::getSpec("h200", "toy-mma-gpu"),
                            std::move(generator));
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

class MmaTest : public testing::Test {
protected:
  MmaTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerPTXTranslations(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    registerTarget(createToyGPU());
  }

  /// Compiles a GEMM of 256 x 256 x `k` for `target`. Returns its PTX; nothing,
  /// and the diagnostics in `message`, if there is an error.
  std::string compile(StringRef target, StringRef type, int64_t k,
                      bool isTransposed = true) {
    std::string rhs =
        isTransposed ? "256x" + std::to_string(k) : std::to_string(k) + "x256";
    std::string code =
        llvm::formatv(R"(
      func.func @f(%x: tensor<256x{0}x{1}>, %w: tensor<{2}x{1}>)
          -> tensor<256x256x{1}> {{
        %y = tgemm.matmul %x, %w {{{3}tiling =
              #tgemm.tiling<m = 128, n = 64, k = 64, stages = 3>}
            : tensor<256x{0}x{1}>, tensor<{2}x{1}> -> tensor<256x256x{1}>
        return %y : tensor<256x256x{1}>
      })",
                      k, type, rhs, isTransposed ? "transpose_rhs, " : "");
    ScopedDiagnosticHandler handler(
        &context, [&](Diagnostic &diagnostic) { message += diagnostic.str(); });
    auto module = parseSourceString<ModuleOp>(code, &context);
    GroutPipelineOptions options;
    options.target = target.str();
    options.reference = false;
    PassManager passes(&context);
    buildGroutPipeline(passes, options);
    std::string text;
    if (!module || failed(passes.run(*module)))
      return text;
    module->walk([&](gpu::GPUModuleOp kernels) {
      FailureOr<std::string> ptx = translateToPTX(kernels);
      ASSERT_TRUE(succeeded(ptx));
      text += *ptx;
    });
    return text;
  }

  static size_t count(StringRef text, StringRef word) {
    return text.count(word);
  }

  MLIRContext context;
  std::string message;
};

TEST_F(MmaTest, KernelsMultiplyWithIt) {
  std::string ptx = compile("toy-mma-gpu", "bf16", 128);
  EXPECT_THAT(ptx, testing::HasSubstr("cp.async.bulk.tensor.2d"));
  EXPECT_THAT(ptx, testing::Not(testing::HasSubstr("wgmma")));
  // A chunk of 64 elements takes two instructions.
  EXPECT_EQ(count(ptx, "toy.mma.n64.times2 "), 1u);
  EXPECT_EQ(count(ptx, "toy.wait 1;"), 1u);
  EXPECT_EQ(count(ptx, "toy.read"), 1u);
}

TEST_F(MmaTest, ItsSumsAreAddedUpAsOftenAsItSays) {
  EXPECT_EQ(count(compile("toy-mma-gpu", "bf16", 128), "add.rn.f32"), 0u);
  // Each thread has 32 accumulators.
  std::string ptx = compile("toy-mma-gpu", "bf16", 1024);
  EXPECT_EQ(count(ptx, "add.rn.f32"), 32u);
  EXPECT_EQ(count(ptx, "toy.read"), 1u);
}

TEST_F(MmaTest, OtherTypesAreMultipliedAsBefore) {
  std::string ptx = compile("toy-mma-gpu", "f16", 1024);
  EXPECT_FALSE(ptx.empty()) << message;
  EXPECT_EQ(ptx, compile("h200", "f16", 1024));
}

TEST_F(MmaTest, LayoutsThatItDoesNotTakeAreRefused) {
  EXPECT_EQ(compile("toy-mma-gpu", "bf16", 128, /*isTransposed=*/false), "");
  EXPECT_THAT(message,
              testing::HasSubstr("rhs 0 must be contiguous along the "
                                 "reduction, as elements of 'bf16' are"));
}

} // namespace
