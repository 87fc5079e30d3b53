//===- OutsidersTest.cpp - Compilers with random outsiders ----------------===//
//
// Part of Grout. Each case is a chain with ops from outside, compiled by the
// code, a policy and a target from outside, any of which may be wrong in one or
// more ways. There is an error that blames one which is, or results are right.
// scripts/attack gives more seeds.
//
//===----------------------------------------------------------------------===//

#include "../Analysis/Seeds.h"
#include "../Target/TestTargets.h"
#include "Comparison.h"
#include "FuzzedBody.h"
#include "FuzzedCode.h"
#include "FuzzedOrder.h"
#include "FuzzedPolicy.h"
#include "FuzzedTarget.h"
#include "Numbers.h"
#include "RandomChain.h"
#include "RunArtifact.h"
#include "Tolerance.h"
#include "grout/InitAllDialects.h"
#include "grout/Pipelines/Pipelines.h"
#include "grout/Target/ArtifactWriter.h"
#include "mlir/IR/Verifier.h"
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
  /// Whether a user changes the tile order, or what tiles wait for.
  bool hasOtherOrder = false;
  unsigned orderSeed;
};

/// Element types that the runtime has, and others.
constexpr llvm::StringLiteral kElements[] = {"f64", "f16", "bf16", "i8",
                                             "i16", "i32", "i64"};
constexpr llvm::StringLiteral kOddElements[] = {
    "index",  "complex<f32>",  "i7",   "i128", "f80",
    "f8E5M2", "vector<2xf32>", "si32", "ui8",  "f128"};

bool isOneOf(llvm::ArrayRef<llvm::StringLiteral> types, llvm::StringRef type) {
  return llvm::is_contained(types, type);
}

/// Draws a chain, seldom of elements that are not f32.
RandomChain drawChain(std::mt19937 &random) {
  RandomChain chain(random);
  unsigned kind = random() % 16;
  if (kind == 0)
    chain.elementType = kOddElements[random() % std::size(kOddElements)];
  else if (kind < 5)
    chain.elementType = kElements[random() % std::size(kElements)];
  // Not all types can be multiplied.
  if (kind < 5 && !llvm::StringRef(chain.elementType).ends_with("f16"))
    chain.keepSums();
  return chain;
}

/// An op that no kernel can be made of, or one whose effects are unknown.
StrayOp drawStray(unsigned numAnswers, std::mt19937 &random) {
  constexpr llvm::StringLiteral right = "tensor<50x24xf32>";
  constexpr llvm::StringLiteral odd[] = {"tensor<?x24xf32>",
                                         "tensor<50x?xf32>",
                                         "tensor<?x?xf32>",
                                         "tensor<*xf32>",
                                         "memref<50x24xf32>",
                                         "f32",
                                         "index",
                                         "vector<50x24xf32>",
                                         "tensor<50x24xindex>",
                                         "tensor<50x24xcomplex<f32>>",
                                         "tensor<50x24xvector<4xf32>>",
                                         "tensor<50x24xsi32>",
                                         "tensor<50x24xui8>",
                                         "tensor<50x24xi7>",
                                         "tensor<50x24xi128>",
                                         "tensor<50x24xf80>",
                                         "tensor<50x24xf8E5M2>",
                                         "tensor<0x24xf32>",
                                         "tensor<f32>",
                                         "tensor<1200xf32>",
                                         "tensor<50x24xi32>",
                                         "tensor<50x24xf16>",
                                         "none",
                                         "tuple<>",
                                         "!llvm.ptr"};
  std::string answers = "answers = " + std::to_string(numAnswers);
  std::string any = odd[random() % std::size(odd)].str();
  constexpr llvm::StringLiteral effects[] = {"reads", "writes", "allocates",
                                             "changes"};
  switch (random() % 4) {
  case 0:
    return {"\"fuzz.sum\"(%v0, %s) {" + answers + "}", any, right.str()};
  case 1:
    return {"\"fuzz.sum\"(%v0, %s) {" + answers + "}", right.str(), any};
  case 2:
    return {"\"fuzz.secret\"(%v0, %s) {" + answers + "}", right.str(),
            right.str()};
  default:
    return {"\"fuzz.effects\"(%v0, %s) {" + answers + ", effects = \"" +
                effects[random() % std::size(effects)].str() + "\"}",
            right.str(), right.str()};
  }
}

/// Whether anything is wrong with the types of `chain`, or its stray op.
bool isOdd(const RandomChain &chain) {
  return chain.stray || isOneOf(kOddElements, chain.elementType);
}

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
    if (answers.fault == Fault::changesEachTime ||
        answers.fault == Fault::changesOnce) {
      answers.others = std::make_shared<Answers>(drawAnswers(random));
      answers.others->halo = answers.halo;
      answers.changesAfter = 1 << random() % 12;
    }
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
  draw.orderSeed = random();
  draw.spec = getSpec("cpu", "fuzz-cpu");
  return draw;
}

/// Makes one thing wrong.
void damage(Draw &draw, RandomChain &chain, std::mt19937 &random) {
  switch (random() % 10) {
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
  case 4:
    draw.hasOtherOrder = true;
    return;
  case 5:
    if (!chain.stray) {
      chain.stray = drawStray(allAnswers.size(), random);
      allAnswers.push_back(drawAnswers(random));
    }
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

/// Whether nothing is odd about `chain` but effects that come and go.
bool mayBePure(const RandomChain &chain) {
  return !isOneOf(kOddElements, chain.elementType) &&
         llvm::StringRef(chain.stray->text).contains("\"changes\"");
}

/// Whether code may be wrong, which nobody proves.
bool hasWrongCode(const Draw &draw) {
  return draw.codeFault != CodeFault::none ||
         llvm::any_of(allAnswers, [](const Answers &answers) {
           return answers.bodyFault != BodyFault::none;
         });
}

/// Whether results may be wrong, as code reads more than its op says, or as an
/// op says something else once it is proved.
bool mayBeWrong() {
  return llvm::any_of(allAnswers, [](const Answers &answers) {
    return answers.fault == Fault::readSmall ||
           answers.fault == Fault::changesOnce;
  });
}

/// `draw` and the answers, for people.
std::string print(const Draw &draw) {
  std::string text = "mode " + stringifyMode(draw.mode).str() + ", " +
                     std::to_string(draw.numActions) + " actions of policy " +
                     std::to_string(draw.policySeed) + ", code fault " +
                     std::to_string(static_cast<unsigned>(draw.codeFault)) +
                     (draw.hasOtherOrder ? ", with another order" : "") +
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
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors.push_back({diagnostic.getLocation(), diagnostic.str()});
    });
    auto module = parseSourceString<ModuleOp>(chain.str(), &context, "chain");
    if (!module)
      return failure();
    GroutPipelineOptions options;
    options.target = draw.spec.name.str();
    options.mode = tsync::getModeOption(draw.mode);
    options.granularity = draw.granularity;
    options.launchPolicy = "anything";
    options.reference = draw.hasReference;
    if (draw.hasOtherOrder) {
      PassManager synchronised(&context);
      buildSynchronisedPipeline(synchronised, options);
      if (failed(synchronised.run(*module)))
        return failure();
      std::mt19937 random(draw.orderSeed);
      changeOrder(*module, random);
      if (failed(verify(*module)))
        return failure();
      options.reference = false;
    }
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
    // What does not fit any more may be told by a neighbour.
    if (llvm::any_of(allAnswers, [](const Answers &answers) {
          return answers.others != nullptr;
        }))
      return true;
    if (draw.hasOtherOrder &&
        (text.contains("order") || text.contains("is not proved") ||
         text.contains("'tsync.")))
      return true;
    bool isFound = false;
    location->walk([&](Location part) {
      auto file = dyn_cast<FileLineColLoc>(part);
      // The first line has the types of the function.
      if (file)
        isFound |= file.getLine() == 1 ? isOdd(chain)
                                       : isWrong(chain, file.getLine() - 2);
      return WalkResult::advance();
    });
    return isFound;
  }

  static bool isWrong(const RandomChain &chain, size_t op) {
    if (isOneOf(kOddElements, chain.elementType))
      return true;
    if (op >= chain.ops.size())
      return chain.stray.has_value();
    if (chain.ops[op].kind != ChainOp::Sum)
      return false;
    size_t number = std::count_if(
        chain.ops.begin(), chain.ops.begin() + op,
        [](const ChainOp &op) { return op.kind == ChainOp::Sum; });
    return !areRight(allAnswers[number]);
  }

  /// Runs `artifact`, and compares with what `chain` means.
  void expectRight(const RandomChain &chain, const Draw &draw,
                   const std::vector<uint8_t> &artifact) {
    Matrix x;
    for (size_t i = 0; i != x.size(); ++i)
      x[i] = static_cast<double>(i % 3);
    std::vector<double> columns(kColumns * kColumns, 0);
    for (int64_t column = 0; column != kColumns; ++column)
      columns[permute(column) * kColumns + column] = 1;
    std::vector<double> numbers(x.begin(), x.end());
    std::vector<std::vector<double>> inputs = {numbers, columns};
    if (chain.stray)
      inputs.push_back(numbers);
    std::vector<run::HostTensor> outputs;
    std::string error = runArtifact(artifact, draw.policySeed, inputs, outputs,
                                    GROUT_PLAN_COMPILED);
    if (!error.empty()) {
      bool isOfOrder =
          draw.hasOtherOrder && llvm::StringRef(error).contains("resident");
      EXPECT_TRUE(hasWrongCode(draw) || mayBeWrong() || isOfOrder) << error;
      ++numFailed;
      return;
    }
    if (mayBeWrong())
      return;
    expectEqual(outputs, chain.compute(x));
    ++numRight;
    if (draw.hasReference)
      expectCheck(chain, artifact, x, inputs, outputs);
  }

  static void expectEqual(llvm::ArrayRef<run::HostTensor> outputs,
                          const std::array<Matrix, 2> &expected) {
    for (unsigned output : {0, 1}) {
      const run::HostTensor &tensor = outputs[output];
      run::HostTensor rounded;
      ASSERT_FALSE(rounded.allocate("", tensor.type).isError());
      for (size_t i = 0; i != expected[output].size(); ++i) {
        grout_element_type type = tensor.type.elementType;
        double value = expected[output][i];
        if (type == GROUT_I8)
          run::writeInteger(type, rounded.data.data(), i,
                            static_cast<int64_t>(value));
        else
          run::writeElement(type, rounded.data.data(), i, value);
        ASSERT_EQ(run::readElement(type, tensor.data.data(), i),
                  run::readElement(type, rounded.data.data(), i))
            << "result " << output << ", element [" << i / kColumns << ", "
            << i % kColumns << "]";
      }
    }
  }

  /// Expects of the reference in `artifact`, if it has one, that it is what
  /// decompositions say, so that a check finds those that are wrong.
  void expectCheck(const RandomChain &chain,
                   const std::vector<uint8_t> &artifact, const Matrix &x,
                   llvm::ArrayRef<std::vector<double>> inputs,
                   llvm::ArrayRef<run::HostTensor> outputs) {
    std::vector<run::HostTensor> references;
    std::string error = runArtifact(artifact, /*seed=*/0, inputs, references,
                                    GROUT_PLAN_REFERENCE);
    if (llvm::StringRef(error).contains("has no such plan"))
      return;
    ASSERT_EQ(error, "");
    std::array<Matrix, 2> meant = chain.compute(x);
    std::array<Matrix, 2> said = chain.compute(x, /*asDecomposed=*/true);
    expectEqual(references, said);
    for (unsigned output : {0, 1}) {
      grout_element_type type = outputs[output].type.elementType;
      run::Tolerance tolerance =
          run::chooseTolerance(type, type, GROUT_DEVICE_CPU);
      EXPECT_EQ(run::compare(outputs[output], references[output])
                    .passes(tolerance.value),
                meant[output] == said[output]);
    }
    ++numChecked;
  }

  void checkCase(unsigned seed) {
    std::mt19937 random(seed);
    RandomChain chain = drawChain(random);
    allAnswers.clear();
    for (unsigned i = 0; i != chain.getNumSums(); ++i)
      allAnswers.push_back(drawAnswers(random));
    Draw draw = drawRight(random);
    // Mostly one fault, as the first that is found hides others.
    constexpr unsigned numsFaults[] = {0, 1, 1, 1, 1, 2, 3};
    for (unsigned i = numsFaults[random() % std::size(numsFaults)]; i != 0; --i)
      damage(draw, chain, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + print(draw) + "\n" +
                 chain.str());
    FailureOr<std::vector<uint8_t>> artifact = compile(chain, draw);
    if (succeeded(artifact)) {
      EXPECT_TRUE(!isOdd(chain) || mayBePure(chain)) << "odd types are taken";
      return expectRight(chain, draw, *artifact);
    }
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
  unsigned numRight = 0, numRefused = 0, numFailed = 0, numChecked = 0;
};

TEST_F(OutsidersTest, AreRefusedOrRunRight) {
  Seeds seeds(1, 100);
  for (unsigned seed : seeds)
    checkCase(seed);
  if (seeds.areDefault()) {
    EXPECT_GT(numRight, 20u);
    EXPECT_GT(numRefused, 20u);
    EXPECT_LT(numFailed, 5u);
    EXPECT_GT(numChecked, 5u);
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
