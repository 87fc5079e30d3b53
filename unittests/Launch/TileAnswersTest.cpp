//===- TileAnswersTest.cpp - Tile kernels that answer anything ------------===//
//
// Part of Grout. An op from outside answers TileKernelOpInterface at random,
// rightly or wrongly, and the code of its tiles is what it may be, too.
// Whatever they say, there is an error at the op, or the artifact computes what
// the op means.
//
//===----------------------------------------------------------------------===//

#include "../Outsiders/FuzzedBody.h"
#include "../Outsiders/FuzzedOp.h"
#include "../Outsiders/RunArtifact.h"
#include "../Target/TestTargets.h"
#include "grout/Codegen/ArtifactWriter.h"
#include "grout/Conversion/TGemmToCPU/CPULaunchGenerator.h"
#include "grout/Dialect/Launch/Transforms/SchedulingPolicy.h"
#include "grout/InitAllDialects.h"
#include "grout/Pipelines/Pipelines.h"
#include "mlir/Parser/Parser.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace grout;
using namespace grout::test;

namespace {

/// Fails without a word, or forgets the buffers.
class CarelessGenerator : public LaunchGenerator {
public:
  explicit CarelessGenerator(bool fails) : fails(fails) {}
  bool handles(launch::TilesOp) const override { return true; }
  FailureOr<LaunchCode> generate(launch::TilesOp, LaunchTensors &, Operation *,
                                 const TargetSpec &) const override {
    if (fails)
      return failure();
    LaunchCode code;
    code.entries = {"nothing"};
    code.grids = {{1}};
    return code;
  }

private:
  bool fails;
};

/// Fails without a word.
class SilentPolicy : public launch::SchedulingPolicy {
public:
  llvm::StringRef getName() const override { return "silent"; }
  LogicalResult schedule(launch::PlanOp, const TargetSpec &) const override {
    return failure();
  }
};

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

constexpr int64_t kRows = 50, kColumns = 24;

/// Whose result is the function's.
constexpr llvm::StringLiteral kAlone = R"(
  func.func @f(%x: tensor<50x24xf32>) -> tensor<50x24xf32> {
    %y = "fuzz.sum"(%x) : (tensor<50x24xf32>) -> tensor<50x24xf32>
    return %y : tensor<50x24xf32>
  })";

/// Between two others; the first is a product with the identity.
constexpr llvm::StringLiteral kChain = R"(
  func.func @f(%x: tensor<50x24xf32>, %e: tensor<24x24xf32>)
      -> tensor<50x24xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<50x24xf32>
    %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<50x24xf32>)
        -> tensor<50x24xf32>
    %h = linalg.matmul ins(%x, %e : tensor<50x24xf32>, tensor<24x24xf32>)
        outs(%start : tensor<50x24xf32>) -> tensor<50x24xf32>
    %y = "fuzz.sum"(%h) : (tensor<50x24xf32>) -> tensor<50x24xf32>
    %z = linalg.matmul ins(%y, %e : tensor<50x24xf32>, tensor<24x24xf32>)
        outs(%start : tensor<50x24xf32>) -> tensor<50x24xf32>
    return %z : tensor<50x24xf32>
  })";

struct alignas(GROUT_BUFFER_ALIGNMENT) Buffer {
  float elements[kRows * kColumns];
};

class TileAnswersTest : public testing::Test {
protected:
  TileAnswersTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerFuzzDialect(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    auto generator = std::make_unique<cpu::CPULaunchGenerator>();
    generator->add(createFuzzedBody());
    registerCPU("fuzz-cpu", std::move(generator));
    registerCPU("failing-cpu", std::make_unique<CarelessGenerator>(true));
    registerCPU("forgetful-cpu", std::make_unique<CarelessGenerator>(false));
    launch::registerSchedulingPolicy(std::make_unique<SilentPolicy>());
    answers = Answers();
  }

  static void registerCPU(llvm::StringRef name,
                          std::unique_ptr<LaunchGenerator> generator) {
    registerTarget(createCPU(getSpec("cpu", name), std::move(generator)));
  }

  /// Compiles `source`; null with errors in `errors`. `location` becomes that
  /// of the op.
  OwningOpRef<ModuleOp> compile(llvm::StringRef source, tsync::Mode mode,
                                llvm::StringRef target = "fuzz-cpu",
                                llvm::StringRef policy = "serial") {
    errors.clear();
    remarks.clear();
    auto module = parseSourceString<ModuleOp>(source, &context);
    module->walk([&](SumOp op) { location = op.getLoc(); });
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors.push_back({diagnostic.getLocation(), diagnostic.str()});
      if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
        remarks += diagnostic.str();
    });
    GroutPipelineOptions options;
    options.target = target.str();
    options.mode = tsync::getModeOption(mode);
    options.launchPolicy = policy.str();
    options.reference = reference;
    PassManager synchronised(&context), kernels(&context);
    buildSynchronisedPipeline(synchronised, options);
    if (failed(synchronised.run(*module)))
      return {};
    betweenHalves();
    buildKernelPipeline(kernels, options);
    if (failed(kernels.run(*module)))
      return {};
    return module;
  }

  /// Runs `module`, which has `numInputs`, and expects twice its first.
  void expectTwice(ModuleOp module, unsigned numInputs) {
    FailureOr<std::vector<uint8_t>> artifact = writeArtifact(module, {});
    ASSERT_TRUE(succeeded(artifact));
    std::vector<Buffer> buffers(3);
    Buffer &x = buffers[0], &identity = buffers[1], &y = buffers[2];
    for (int64_t i = 0; i != kRows * kColumns; ++i) {
      x.elements[i] = static_cast<float>(i % 101);
      identity.elements[i] = i % (kColumns + 1) == 0 ? 1 : 0;
      y.elements[i] = -1;
    }
    const void *in[] = {&x, &identity};
    void *out[] = {&y};
    ASSERT_LE(numInputs, 2U);
    ASSERT_EQ(runArtifact(*artifact, /*seed=*/1, in, out), "");
    for (int64_t i = 0; i != kRows * kColumns; ++i)
      ASSERT_EQ(y.elements[i], 2 * x.elements[i]) << "element " << i;
  }

  /// Compiles and runs `answers`; returns whether they were accepted.
  bool check(bool isChain, tsync::Mode mode) {
    OwningOpRef<ModuleOp> module = compile(isChain ? kChain : kAlone, mode);
    if (module) {
      expectTwice(*module, isChain ? 2 : 1);
      return true;
    }
    EXPECT_FALSE(errors.empty()) << "it fails without a word";
    if (!errors.empty()) {
      EXPECT_EQ(errors.front().first, location) << errors.front().second;
      EXPECT_THAT(errors.front().second, testing::HasSubstr("'fuzz.sum'"));
    }
    return false;
  }

  Answers &answers = allAnswers.front();
  MLIRContext context;
  /// Whether there is a plan to check against.
  bool reference = false;
  /// What happens when chains are proved, and have no code yet.
  std::function<void()> betweenHalves = [] {};
  Location location = UnknownLoc::get(&context);
  std::vector<std::pair<Location, std::string>> errors;
  std::string remarks;
};

TEST_F(TileAnswersTest, WrongAnswersAreErrorsAtTheOpAndOthersRunRight) {
  std::mt19937 random(20261128);
  auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (unsigned number = 0; number != 300; ++number) {
    answers = Answers();
    answers.numbering = static_cast<Numbering>(draw(0, 2));
    answers.tileRows = draw(3, 40);
    answers.tileColumns = draw(3, 30);
    answers.moreRows = draw(0, 1);
    answers.steps = draw(1, 3);
    bool isRight = draw(0, 7) == 0;
    answers.fault = isRight
                        ? Fault::none
                        : static_cast<Fault>(draw(1, kNumCertainFaults - 1));
    answers.ofOperand = isOfAnyAccess(answers.fault) && draw(0, 1);
    bool isChain = draw(0, 1);
    tsync::Mode mode =
        draw(0, 1) ? tsync::Mode::serial : tsync::Mode::persistent;
    SCOPED_TRACE("case " + std::to_string(number) + ", fault " +
                 std::to_string(static_cast<unsigned>(answers.fault)) +
                 (answers.ofOperand ? " of the operand" : "") +
                 (isChain ? ", in a chain" : ""));
    EXPECT_EQ(check(isChain, mode), isRight);
  }
}

TEST_F(TileAnswersTest, ErrorsSayWhatWasAnsweredAndWhatWasExpected) {
  answers.fault = Fault::mapNull;
  answers.ofOperand = true;
  EXPECT_FALSE(compile(kAlone, tsync::Mode::serial));
  EXPECT_EQ(errors.front().second,
            "'fuzz.sum' op implements TileKernelOpInterface wrongly: "
            "getOperandAccess of operand 0 returns no map, but it must go from "
            "5 dimensions (2 of "
            "the grid, the step, 2 of the box) and no symbols to the 2 of "
            "'tensor<50x24xf32>'");
  answers.fault = Fault::gridShort;
  EXPECT_FALSE(compile(kAlone, tsync::Mode::serial));
  EXPECT_THAT(errors.front().second,
              testing::HasSubstr("do not write every element of result 0 once: "
                                 "no tile writes element [48, 0]; getTileGrid "
                                 "returns [3, 2], getResultAccess "));
  answers.fault = Fault::workNegative;
  EXPECT_FALSE(compile(kAlone, tsync::Mode::serial));
  EXPECT_EQ(errors.front().second,
            "'fuzz.sum' op implements TileKernelOpInterface wrongly: "
            "getTileWork returns -1 FLOPs, but a tile has from 0 to "
            "1152921504606846976");
}

TEST_F(TileAnswersTest, UpdatesInPlaceAreProved) {
  answers.fault = Fault::updatesOperand;
  EXPECT_TRUE(check(/*isChain=*/true, tsync::Mode::persistent));
  answers.halo = 1;
  EXPECT_FALSE(check(/*isChain=*/true, tsync::Mode::persistent));
  EXPECT_THAT(errors.front().second,
              testing::HasSubstr("cannot update operand 0 in place"));
  // Of the argument, which the caller keeps.
  answers.halo = 0;
  std::string source = kChain.str();
  source.replace(source.find("(%h)"), 4, "(%x)");
  EXPECT_FALSE(compile(source, tsync::Mode::serial));
  EXPECT_THAT(errors.front().second,
              testing::HasSubstr("updates an argument that is not in place of "
                                 "a result"));
}

/// Nobody can wait for such tiles, so they wait for no tile either, and
/// launches are in order.
TEST_F(TileAnswersTest, TilesThatATensorChoosesAreInAChainOfTheirOwn) {
  answers.isChosenAtRunTime = true;
  EXPECT_TRUE(check(/*isChain=*/true, tsync::Mode::persistent));
  EXPECT_TRUE(check(/*isChain=*/true, tsync::Mode::serial));
  answers.fault = Fault::updatesOperand;
  EXPECT_FALSE(check(/*isChain=*/true, tsync::Mode::persistent));
  EXPECT_THAT(errors.front().second,
              testing::HasSubstr("getUpdatedOperand of result 0 returns an "
                                 "operand, but it is not known before the "
                                 "kernel runs which elements a tile updates"));
}

TEST_F(TileAnswersTest, BodiesThatDoTooLittleAreErrors) {
  auto isAccepted = [&](BodyFault fault, bool isChain, tsync::Mode mode) {
    answers.bodyFault = fault;
    return check(isChain, mode);
  };
  for (BodyFault fault :
       {BodyFault::fails, BodyFault::empty, BodyFault::writesNothing,
        BodyFault::writesOperand, BodyFault::foreignValue})
    for (tsync::Mode mode : {tsync::Mode::serial, tsync::Mode::persistent}) {
      EXPECT_FALSE(isAccepted(fault, false, mode));
      EXPECT_FALSE(isAccepted(fault, true, mode));
    }
  // Where nobody waits, nobody has to.
  for (BodyFault fault :
       {BodyFault::noWaits, BodyFault::noPosts, BodyFault::waitsLast,
        BodyFault::postsFirst, BodyFault::postsTwice, BodyFault::postsInLoop}) {
    EXPECT_TRUE(isAccepted(fault, true, tsync::Mode::serial));
    EXPECT_FALSE(isAccepted(fault, true, tsync::Mode::persistent));
  }
}

TEST_F(TileAnswersTest, ElementsThatAreNoNumbersAreErrors) {
  for (StringRef type : {"index", "complex<f32>", "vector<4xf32>"}) {
    std::string source;
    llvm::raw_string_ostream(source)
        << "func.func @f(%x: tensor<50x24x" << type << ">) -> tensor<50x24x"
        << type << "> {"
        << "  %y = \"fuzz.sum\"(%x) : (tensor<50x24x" << type
        << ">) -> tensor<50x24x" << type << ">"
        << "  return %y : tensor<50x24x" << type << "> }";
    for (tsync::Mode mode : {tsync::Mode::serial, tsync::Mode::persistent}) {
      EXPECT_FALSE(compile(source, mode));
      EXPECT_EQ(errors.front().first, location);
      EXPECT_THAT(errors.front().second,
                  testing::HasSubstr("'fuzz.sum' op has a result of elements "
                                     "'" +
                                     type.str() +
                                     "', but kernels write floats or "
                                     "integers"));
    }
  }
}

TEST_F(TileAnswersTest, AnswersThatChangeAreErrors) {
  answers.fault = Fault::changesEachTime;
  answers.others = std::make_shared<Answers>();
  answers.others->steps = 2;
  EXPECT_FALSE(check(/*isChain=*/true, tsync::Mode::persistent));
  EXPECT_THAT(errors.front().second,
              testing::ContainsRegex(
                  "getStepCount returns (1|2), and when it is asked again "
                  "(1|2); answers follow from the op alone"));
}

TEST_F(TileAnswersTest, AnswersThatChangeOnceProvedAreErrors) {
  for (tsync::Mode mode : {tsync::Mode::serial, tsync::Mode::persistent}) {
    answers = Answers();
    betweenHalves = [&] { answers.tileRows *= 2; };
    EXPECT_FALSE(check(/*isChain=*/true, mode));
    EXPECT_THAT(errors.front().second,
                testing::HasSubstr("returns other answers by "
                                   "TileKernelOpInterface than those that "
                                   "tsync-verify proved"));
    answers = Answers();
    betweenHalves = [] {};
    EXPECT_TRUE(check(/*isChain=*/true, mode));
  }
}

TEST_F(TileAnswersTest, AResultThatIsNoStaticTensorIsAnError) {
  for (StringRef type :
       {"f32", "memref<50x24xf32>", "tensor<*xf32>", "tensor<50x?xf32>"}) {
    std::string source;
    llvm::raw_string_ostream(source)
        << "func.func @f(%x: tensor<50x24xf32>) -> " << type
        << " { %y = \"fuzz.sum\"(%x) : (tensor<50x24xf32>) -> " << type
        << "  return %y : " << type << " }";
    EXPECT_FALSE(compile(source, tsync::Mode::serial));
    EXPECT_EQ(errors.front().first, location);
    EXPECT_EQ(errors.front().second,
              "'fuzz.sum' op has a result that is not a static tensor");
  }
}

TEST_F(TileAnswersTest, InvalidBodiesNameTheirGenerator) {
  EXPECT_FALSE(compile(R"(
    func.func @f(%x: tensor<50x24xf32>) -> tensor<50x24xf16> {
      %y = "fuzz.sum"(%x) : (tensor<50x24xf32>) -> tensor<50x24xf16>
      return %y : tensor<50x24xf16>
    })",
                       tsync::Mode::serial));
  EXPECT_THAT(errors.front().second, testing::HasSubstr("'memref.store' op"));
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors.back().first, location);
  EXPECT_EQ(errors.back().second,
            "'fuzz.sum' op cannot be compiled for the CPU: the generator of "
            "its tile body made code that is not valid");
}

TEST_F(TileAnswersTest, AScalarOperandIsAnError) {
  EXPECT_FALSE(compile(R"(
    func.func @f() -> tensor<50x24xf32> {
      %x = arith.constant 3.0 : f32
      %y = "fuzz.sum"(%x) : (f32) -> tensor<50x24xf32>
      return %y : tensor<50x24xf32>
    })",
                       tsync::Mode::serial));
  EXPECT_EQ(errors.front().first, location);
  EXPECT_EQ(errors.front().second,
            "'fuzz.sum' op cannot be compiled: it reads a value of type "
            "'f32', but kernels read tensors alone; what is known when "
            "compiling may be an attribute");
}

TEST_F(TileAnswersTest, GeneratorsOfLaunchesThatDoTooLittleAreErrors) {
  EXPECT_FALSE(compile(kAlone, tsync::Mode::serial, "failing-cpu"));
  EXPECT_EQ(errors.front().second,
            "cannot be compiled for failing-cpu: the generator fails, and does "
            "not say why, for 'fuzz.sum'");
  EXPECT_FALSE(compile(kAlone, tsync::Mode::serial, "forgetful-cpu"));
  EXPECT_EQ(errors.front().second,
            "cannot be compiled for forgetful-cpu: the generator made a wrong "
            "kernel for 'fuzz.sum': the module of kernels has no code of entry "
            "'nothing'");
}

TEST_F(TileAnswersTest, APolicyThatFailsSilentlyIsNamed) {
  EXPECT_FALSE(compile(kAlone, tsync::Mode::serial, "fuzz-cpu", "silent"));
  EXPECT_EQ(errors.front().second, "policy 'silent' of launch-schedule fails "
                                   "for plan 'f' and does not say why");
}

TEST_F(TileAnswersTest, AnOpOfUnknownEffectsIsInNoChain) {
  std::string source = kAlone.str();
  source.replace(source.find("fuzz.sum"), 8, "fuzz.secret");
  reference = true;
  EXPECT_FALSE(compile(source, tsync::Mode::serial));
  EXPECT_THAT(remarks,
              testing::HasSubstr("there will be no reference to check 'f' "
                                 "against: 'fuzz.secret' has no plain kernel, "
                                 "and does not say what it consists of "
                                 "(AggregatedOpInterface)"));
  EXPECT_THAT(remarks,
              testing::HasSubstr("'fuzz.secret' is not taken into a chain: it "
                                 "has effects on memory, or does not say by "
                                 "MemoryEffectOpInterface (trait Pure) that it "
                                 "has none"));
  EXPECT_THAT(errors.front().second, testing::HasSubstr("'fuzz.secret'"));
}

} // namespace
