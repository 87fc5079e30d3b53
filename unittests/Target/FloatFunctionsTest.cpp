//===- FloatFunctionsTest.cpp - Functions of f32 on GPUs ------------------===//
//
// Part of Grout. What expand-device-math makes of functions is arithmetic,
// which this processor computes, too. It is compared with the functions of f64.
//
//===----------------------------------------------------------------------===//

#include "grout/Codegen/PTX.h"
#include "grout/InitAllDialects.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace grout;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();
constexpr double kPi = llvm::numbers::pi;

/// A function of f32; one of a single operand ignores the second.
struct Function {
  const char *name;
  double (*exact)(double, double);
  double bound; // of the error, in units in the last place
  bool isBinary = false;
};

const Function kFunctions[] = {
    {"acos", [](double x, double) { return std::acos(x); }, 1.5},
    {"acosh", [](double x, double) { return std::acosh(x); }, 0.6},
    {"asin", [](double x, double) { return std::asin(x); }, 2.5},
    {"asinh", [](double x, double) { return std::asinh(x); }, 0.6},
    {"atan", [](double x, double) { return std::atan(x); }, 1.5},
    {"atan2", [](double y, double x) { return std::atan2(y, x); }, 2, true},
    {"atanh", [](double x, double) { return std::atanh(x); }, 0.6},
    {"cbrt", [](double x, double) { return std::cbrt(x); }, 0.6},
    {"cos", [](double x, double) { return std::cos(x); }, 2},
    {"cosh", [](double x, double) { return std::cosh(x); }, 1.5},
    {"erf", [](double x, double) { return std::erf(x); }, 2},
    {"erfc", [](double x, double) { return std::erfc(x); }, 3},
    {"exp", [](double x, double) { return std::exp(x); }, 1.5},
    {"exp2", [](double x, double) { return std::exp2(x); }, 1.5},
    {"expm1", [](double x, double) { return std::expm1(x); }, 1.5},
    {"log", [](double x, double) { return std::log(x); }, 0.6},
    {"log10", [](double x, double) { return std::log10(x); }, 0.6},
    {"log1p", [](double x, double) { return std::log1p(x); }, 3},
    {"log2", [](double x, double) { return std::log2(x); }, 0.6},
    {"powf", [](double x, double y) { return std::pow(x, y); }, 1.5, true},
    {"rsqrt", [](double x, double) { return 1 / std::sqrt(x); }, 2},
    {"sin", [](double x, double) { return std::sin(x); }, 2},
    {"sinh", [](double x, double) { return std::sinh(x); }, 2},
    {"tan", [](double x, double) { return std::tan(x); }, 3.5},
    {"tanh", [](double x, double) { return std::tanh(x); }, 3},
};

void PrintTo(const Function &function, std::ostream *os) {
  *os << function.name;
}

/// How far `actual` is from `exact`, in units in the last place of f32;
/// infinite where a NaN, an infinity or the sign of a zero is wrong.
double getError(float actual, double exact) {
  auto rounded = static_cast<float>(exact);
  if (std::isnan(exact) || std::isnan(actual))
    return std::isnan(exact) == std::isnan(actual) ? 0 : kInfinity;
  if (std::signbit(actual) != std::signbit(exact))
    return kInfinity;
  if (std::isinf(rounded) || std::isinf(actual)) {
    bool isNear = std::abs(rounded) >= kLargest && std::abs(actual) >= kLargest;
    return rounded == actual ? 0 : isNear ? 1 : kInfinity;
  }
  int exponent =
      std::max(std::ilogb(std::max(std::abs(exact), 0x1p-126)), -126);
  return std::abs(actual - exact) / std::ldexp(1, exponent - 23);
}

/// The module of a function `scalar` of two f32, and of `vector`, which takes
/// and gives four through pointers.
std::string getModule(const Function &function) {
  const char *second = function.isBinary ? ", %y" : "";
  return llvm::formatv(R"(
    gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {{
      llvm.func @scalar(%x: f32, %y: f32) -> f32 {{
        %r = math.{0} %x{1} : f32
        llvm.return %r : f32
      }
      llvm.func @vector(%p: !llvm.ptr, %q: !llvm.ptr, %to: !llvm.ptr) {{
        %x = llvm.load %p : !llvm.ptr -> vector<4xf32>
        %y = llvm.load %q : !llvm.ptr -> vector<4xf32>
        %r = math.{0} %x{1} : vector<4xf32>
        llvm.store %r, %to : vector<4xf32>, !llvm.ptr
        llvm.return
      }
    })",
                       function.name, second);
}

class FloatFunctionsTest : public testing::TestWithParam<Function> {
protected:
  void SetUp() override {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    DialectRegistry registry;
    registerAllDialects(registry);
    registerBuiltinDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(getModule(GetParam()), &context);
    ASSERT_TRUE(module);
    PassManager pm(&context);
    buildNVVMKernelPipeline(pm);
    ASSERT_TRUE(succeeded(pm.run(*module)));
    auto kernels = *module->getOps<gpu::GPUModuleOp>().begin();
    module->getBody()->getOperations().splice(
        kernels->getIterator(), kernels.getBody()->getOperations());
    kernels.erase();
    auto created = ExecutionEngine::create(*module);
    ASSERT_TRUE(bool(created)) << llvm::toString(created.takeError());
    engine = std::move(*created);
    scalar = lookUp<float (*)(float, float)>("scalar");
    vector = lookUp<void (*)(const float *, const float *, float *)>("vector");
  }

  void check(float x, float y = 0) {
    double exact = GetParam().exact(x, y);
    float actual = scalar(x, y);
    EXPECT_LE(getError(actual, exact), GetParam().bound)
        << llvm::formatv("of {0} and {1} it is {2}, and should be {3}", x, y,
                         actual, exact)
               .str();
  }

  std::mt19937 random;
  float (*scalar)(float, float) = nullptr;
  void (*vector)(const float *, const float *, float *) = nullptr;

private:
  template <typename Pointer> Pointer lookUp(StringRef name) {
    return reinterpret_cast<Pointer>(llvm::cantFail(engine->lookup(name)));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<ExecutionEngine> engine;
};

float getAny(std::mt19937 &random) {
  return llvm::bit_cast<float>(static_cast<uint32_t>(random()));
}

TEST_P(FloatFunctionsTest, OfAllMagnitudes) {
  for (int i = 0; i != 100000; ++i)
    check(getAny(random), getAny(random));
}

TEST_P(FloatFunctionsTest, OfCommonNumbers) {
  std::uniform_real_distribution<float> common(-20, 20), wide(-150, 150);
  for (int i = 0; i != 100000; ++i) {
    check(common(random), common(random));
    check(wide(random), wide(random));
  }
}

/// Of numbers near 0, and near others where functions change: 1 and -1, and the
/// integers, and ends of ranges.
TEST_P(FloatFunctionsTest, NearSpecialPlaces) {
  std::uniform_real_distribution<double> share(-1, 1);
  for (double place : {0.0, 0.5, -0.5, 1.0, -1.0, 2.0, 10.0, 88.72, -87.33,
                       -103.97, 128.0, -126.0, -149.0, 9.3, 89.415, kPi / 2})
    for (int i = 0; i != 10000; ++i) {
      double distance = std::ldexp(share(random), -int(random() % 30));
      check(static_cast<float>(place + distance), getAny(random));
      check(static_cast<float>(place + distance), 20 * share(random));
    }
}

/// Results are smallest there beside their operands.
TEST_P(FloatFunctionsTest, NearMultiplesOfRightAngles) {
  for (int i = 0; i != 100000; ++i) {
    double number = std::floor(std::ldexp(1, random() % 52));
    number += random() % 1024;
    check(static_cast<float>(number * (kPi / 2)));
  }
  // Up to 1e-9 of a right angle, the nearest that there are in f32; positions
  // of long texts, and an integer.
  for (float x : {0x1.f37c8ap+95f, 0x1.47d0fep+34f, 0x1.f9cbe2p+7f,
                  0x1.32ede2p+85f, 0x1.628d4cp+40f, 0x1.13093p+76f,
                  0x1.b08c4ap+111f, 32768.0f, 100000.0f, 1e9f})
    for (float sign : {1.0f, -1.0f})
      check(sign * x);
}

TEST_P(FloatFunctionsTest, OfSpecialNumbers) {
  const float numbers[] = {
      0, 0x1p-149f, 0x1.fffffcp-127f, 0x1p-126f, 0.5f,     1,         2,
      3, 0x1p24f,   0x1p62f,          2.5f,      kLargest, kInfinity, NAN};
  for (float x : numbers)
    for (float y : numbers)
      for (unsigned signs = 0; signs != 4; ++signs)
        check(signs & 1 ? -x : x, signs & 2 ? -y : y);
}

TEST_P(FloatFunctionsTest, OfVectorsIsTheSame) {
  for (int i = 0; i != 1000; ++i) {
    float x[4], y[4], results[4];
    for (unsigned lane = 0; lane != 4; ++lane)
      x[lane] = getAny(random), y[lane] = getAny(random);
    vector(x, y, results);
    for (unsigned lane = 0; lane != 4; ++lane) {
      float expected = scalar(x[lane], y[lane]);
      EXPECT_TRUE(results[lane] == expected ||
                  (std::isnan(results[lane]) && std::isnan(expected)))
          << x[lane];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FloatFunctionsTest, testing::ValuesIn(kFunctions),
                         [](const testing::TestParamInfo<Function> &info) {
                           return std::string(info.param.name);
                         });

} // namespace
