//===- OutsidersTest.cpp - Compilers with random outsiders ----------------===//
//
// Part of Grout. Each case is a chain with ops from outside, compiled by the
// code, a policy and a target from outside, any of which may be wrong in one or
// more ways. There is an error that blames one which is, or results are right.
// scripts/attack gives more seeds.
//
//===----------------------------------------------------------------------===//

#include "../Analysis/Seeds.h"
#include "FuzzedBody.h"
#include "FuzzedCode.h"
#include "FuzzedPolicy.h"
#include "FuzzedTarget.h"
#include "RandomChain.h"
#include "RunArtifact.h"
#include "grout/InitAllDialects.h"
#include "grout/Pipelines/Pipelines.h"
#include "grout/Target/ArtifactWriter.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace grout;
using namespace grout::test;

namespace {

/// What is drawn beside the chain and its answers.
struct Draw {
  tsync::Mode mode;
  tsync::GranularityOption granularity;
  bool hasReference;
  unsigned policySeed;
  unsigned numActions = 0;
  CodeFault codeFault = CodeFault::none;
  TargetSpec spec;
  /// What is wrong with it, if anything.
  std::string specFault;
};

/// Draws right answers.
Answers drawAnswers(std::mt19937 &random) {
  Answers answers;
  answers.halo = random() % 2 == 0 ? 0 : 1 + random() % 3;
  answers.numbering = static_cast<Numbering>(random() % 3);
  answers.tileRows = 3 + random() % 40;
  answers.tileColumns = 3 + random() % 30;
  answers.moreRows = random() % 2;
  answers.steps = 1 + random() % 3;
  answers.readsMore = random() % 3 == 0;
  return answers;
}

/// Makes one of the answers wrong.
void damage(Answers &answers, std::mt19937 &random) {
  switch (random() % 4) {
  case 0:
    answers.bodyFault =
        static_cast<BodyFault>(1 + random() % (kNumBodyFaults - 1));
    return;
  case 1:
    answers.decomposition =
        static_cast<Decomposition>(1 + random() % (kNumDecompositions - 1));
    return;
  default:
    answers.fault = static_cast<Fault>(1 + random() % (kNumFaults - 1));
    answers.ofOperand = isOfAnyAccess(answers.fault) && random() % 2 == 0;
  }
}

Draw drawRight(std::mt19937 &random) {
  Draw draw;
  constexpr tsync::Mode modes[] = {tsync::Mode::serial,
                                   tsync::Mode::persistent};
  draw.mode = modes[random() % std::size(modes)];
  constexpr tsync::GranularityOption granularities[] = {
      tsync::GranularityOption::Tile, tsync::GranularityOption::Row,
      tsync::GranularityOption::Kernel, tsync::GranularityOption::Auto};
  draw.granularity = granularities[random() % std::size(granularities)];
  draw.hasReference = random() % 2 == 0;
  draw.policySeed = random();
  draw.spec = lookupTarget("cpu")->getSpec();
  draw.spec.name = "fuzz-cpu";
  return draw;
}

/// Makes one thing wrong.
void damage(Draw &draw, std::mt19937 &random) {
  switch (random() % 8) {
  case 0:
  case 1:
    ++draw.numActions;
    return;
  case 2:
    draw.codeFault =
        static_cast<CodeFault>(1 + random() % (kNumCodeFaults - 1));
    return;
  case 3:
    draw.specFault = damageSpec(draw.spec, random);
    return;
  default:
    damage(allAnswers[random() % allAnswers.size()], random);
  }
}

/// Whether nothing is wrong with `answers`.
bool areRight(const Answers &answers) {
  return answers.fault == Fault::none && answers.bodyFault == BodyFault::none &&
         answers.decomposition == Decomposition::right;
}

/// Whether code may be wrong, which nobody proves.
bool hasWrongCode(const Draw &draw) {
  return draw.codeFault != CodeFault::none ||
         llvm::any_of(allAnswers, [](const Answers &answers) {
           return answers.bodyFault != BodyFault::none;
         });
}

/// `draw` and the answers, for people.
std::string print(const Draw &draw) {
  std::string text = "mode " + stringifyMode(draw.mode).str() + ", " +
                     std::to_string(draw.numActions) + " actions of policy " +
                     std::to_string(draw.policySeed) + ", code fault " +
                     std::to_string(static_cast<unsigned>(draw.codeFault)) +
                     ", target fault '" + draw.specFault + "'" +
                     (draw.hasReference ? ", with reference" : "");
  for (const Answers &answers : allAnswers)
    text += "\nhalo " + std::to_string(answers.halo) + ", tiles of " +
            std::to_string(answers.tileRows) + " x " +
            std::to_string(answers.tileColumns) + ", numbering " +
            std::to_string(static_cast<unsigned>(answers.numbering)) +
            ", fault " + std::to_string(static_cast<unsigned>(answers.fault)) +
            (answers.ofOperand ? " of operand" : "") + ", body fault " +
            std::to_string(static_cast<unsigned>(answers.bodyFault)) +
            ", decomposition " +
            std::to_string(static_cast<unsigned>(answers.decomposition));
  return text;
}

class OutsidersTest : public testing::Test {
protected:
  OutsidersTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerFuzzDialect(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }
  ~OutsidersTest() override { allAnswers.assign(1, Answers()); }

  /// The artifact of `chain`, or none with `errors`.
  FailureOr<std::vector<uint8_t>> compile(const RandomChain &chain,
                                          const Draw &draw) {
    errors.clear();
    registerTarget(createCPU(draw.spec, createFuzzedGenerator(draw.codeFault)));
    launch::registerSchedulingPolicy(
        createFuzzedPolicy(draw.policySeed, draw.numActions));
    auto module = parseSourceString<ModuleOp>(chain.str(), &context, "chain");
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors.push_back({diagnostic.getLocation(), diagnostic.str()});
    });
    GroutPipelineOptions options;
    options.target = draw.spec.name.str();
    options.mode = tsync::getModeOption(draw.mode);
    options.granularity = draw.granularity;
    options.launchPolicy = "anything";
    options.reference = draw.hasReference;
    PassManager passes(&context);
    buildGroutPipeline(passes, options);
    if (failed(passes.run(*module)))
      return failure();
    return writeArtifact(*module, {});
  }

  /// Whether an error blames something that is wrong.
  bool blamesTheRight(const RandomChain &chain, const Draw &draw) {
    return llvm::any_of(errors, [&](const auto &error) {
      return blamesTheRight(chain, draw, error.first, error.second);
    });
  }

  static bool blamesTheRight(const RandomChain &chain, const Draw &draw,
                             Location location, llvm::StringRef text) {
    if (draw.numActions != 0 && text.contains("policy 'anything'"))
      return true;
    if (draw.codeFault != CodeFault::none && text.contains("generator"))
      return true;
    if (!draw.specFault.empty() && text.contains("fuzz-cpu"))
      return true;
    bool isFound = false;
    location->walk([&](Location part) {
      auto file = dyn_cast<FileLineColLoc>(part);
      if (file && file.getLine() >= 2)
        isFound |= isWrong(chain, file.getLine() - 2);
      return WalkResult::advance();
    });
    return isFound;
  }

  static bool isWrong(const RandomChain &chain, size_t op) {
    if (op >= chain.ops.size() || chain.ops[op].kind != ChainOp::Sum)
      return false;
    size_t number = std::count_if(
        chain.ops.begin(), chain.ops.begin() + op,
        [](const ChainOp &op) { return op.kind == ChainOp::Sum; });
    return !areRight(allAnswers[number]);
  }

  /// Runs `artifact`, and compares with what `chain` means.
  void expectRight(const RandomChain &chain, const Draw &draw,
                   const std::vector<uint8_t> &artifact) {
    Aligned<Matrix> x, outputs[2];
    Aligned<std::array<float, kColumns * kColumns>> columns = {};
    for (size_t i = 0; i != x.size(); ++i)
      x[i] = static_cast<float>(i % 101);
    for (int64_t column = 0; column != kColumns; ++column)
      columns[permute(column) * kColumns + column] = 1;
    const void *in[] = {&x, &columns};
    void *out[] = {&outputs[0], &outputs[1]};
    std::string error = runArtifact(artifact, draw.policySeed, in, out);
    if (!error.empty()) {
      EXPECT_TRUE(hasWrongCode(draw)) << error;
      ++numFailed;
      return;
    }
    std::array<Matrix, 2> expected = chain.compute(x);
    for (unsigned output : {0, 1})
      for (size_t i = 0; i != x.size(); ++i)
        ASSERT_EQ(outputs[output][i], expected[output][i])
            << "result " << output << ", element [" << i / kColumns << ", "
            << i % kColumns << "]";
    ++numRight;
  }

  void checkCase(unsigned seed) {
    std::mt19937 random(seed);
    RandomChain chain(random);
    allAnswers.clear();
    for (unsigned i = 0; i != chain.getNumSums(); ++i)
      allAnswers.push_back(drawAnswers(random));
    Draw draw = drawRight(random);
    // Mostly one fault, as the first that is found hides others.
    constexpr unsigned numsFaults[] = {0, 1, 1, 1, 1, 2, 3};
    for (unsigned i = numsFaults[random() % std::size(numsFaults)]; i != 0; --i)
      damage(draw, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + print(draw) + "\n" +
                 chain.str());
    FailureOr<std::vector<uint8_t>> artifact = compile(chain, draw);
    if (succeeded(artifact))
      return expectRight(chain, draw, *artifact);
    ++numRefused;
    ASSERT_FALSE(errors.empty()) << "it fails without a word";
    EXPECT_FALSE(isa<UnknownLoc>(errors.front().first)) << "it has no place";
    EXPECT_TRUE(blamesTheRight(chain, draw))
        << llvm::formatv("{0}: {1}", errors.front().first,
                         errors.front().second)
               .str();
  }

  MLIRContext context;
  std::vector<std::pair<Location, std::string>> errors;
  unsigned numRight = 0, numRefused = 0, numFailed = 0;
};

TEST_F(OutsidersTest, AreRefusedOrRunRight) {
  Seeds seeds(1, 100);
  for (unsigned seed : seeds)
    checkCase(seed);
  if (seeds.areDefault()) {
    EXPECT_GT(numRight, 20u);
    EXPECT_GT(numRefused, 20u);
    EXPECT_LT(numFailed, 5u);
  }
}

TEST_F(OutsidersTest, WhatGeneratorsSayIsChecked) {
  // A seed of a chain of several ops.
  std::mt19937 random(3);
  RandomChain chain(random);
  ASSERT_GT(chain.ops.size(), 2u);
  allAnswers.assign(chain.getNumSums(), Answers());
  Draw draw = drawRight(random);
  draw.mode = tsync::Mode::persistent;
  for (unsigned fault = 1; fault != kNumCodeFaults; ++fault) {
    draw.codeFault = static_cast<CodeFault>(fault);
    EXPECT_TRUE(failed(compile(chain, draw))) << "fault " << fault;
    EXPECT_TRUE(llvm::any_of(
        errors,
        [](const auto &error) {
          return llvm::StringRef(error.second).contains("the generator ");
        }))
        << "fault " << fault;
  }
}

} // namespace
