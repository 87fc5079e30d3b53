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
#include "FuzzedOrder.h"
#include "FuzzedPolicy.h"
#include "Numbers.h"
#include "RandomCase.h"
#include "RunArtifact.h"
#include "Tolerance.h"
#include "grout/Codegen/ArtifactWriter.h"
#include "grout/InitAllDialects.h"
#include "grout/Pipelines/Pipelines.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace grout;
using namespace grout::test;

namespace {

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

  /// The artifact of `of`, or none with `errors`.
  FailureOr<std::vector<uint8_t>> compile(const RandomCase &of) {
    errors.clear();
    registerTarget(createCPU(of.spec, createFuzzedGenerator(of.codeFault)));
    launch::registerSchedulingPolicy(
        createFuzzedPolicy(of.policySeed, of.numActions));
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors.push_back({diagnostic.getLocation(), diagnostic.str()});
    });
    auto module =
        parseSourceString<ModuleOp>(of.chain.str(), &context, "chain");
    if (!module)
      return failure();
    GroutPipelineOptions options;
    options.target = of.spec.name.str();
    options.mode = tsync::getModeOption(of.mode);
    options.granularity = of.granularity;
    options.launchPolicy = "anything";
    options.reference = of.hasReference;
    if (of.hasOtherOrder) {
      PassManager synchronised(&context);
      buildSynchronisedPipeline(synchronised, options);
      if (failed(synchronised.run(*module)))
        return failure();
      std::mt19937 random(of.orderSeed);
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
  bool blamesTheRight(const RandomCase &of) {
    return llvm::any_of(errors, [&](const auto &error) {
      return blamesTheRight(of, error.first, error.second);
    });
  }

  static bool blamesTheRight(const RandomCase &of, Location location,
                             llvm::StringRef text) {
    if (of.numActions != 0 && text.contains("policy 'anything'"))
      return true;
    if (of.codeFault != CodeFault::none && text.contains("generator"))
      return true;
    if (!of.specFault.empty() && text.contains("fuzz-cpu"))
      return true;
    if (of.hasOtherOrder &&
        (text.contains("order") || text.contains("is not proved") ||
         text.contains("'tsync.")))
      return true;
    // What does not fit any more may be told by a neighbour.
    return of.hasChangingAnswers() || isAtTheWrong(of, location);
  }

  static bool isAtTheWrong(const RandomCase &of, Location location) {
    bool isFound = false;
    location->walk([&](Location part) {
      // The first line has the types of the function.
      if (auto file = dyn_cast<FileLineColLoc>(part))
        isFound |=
            file.getLine() == 1 ? of.isOdd() : of.isWrong(file.getLine() - 2);
      return WalkResult::advance();
    });
    return isFound;
  }

  /// Runs `artifact`, and compares with what the chain of `of` means.
  void expectRight(const RandomCase &of, const std::vector<uint8_t> &artifact) {
    Matrix x;
    for (size_t i = 0; i != x.size(); ++i)
      x[i] = static_cast<double>(i % 3);
    std::vector<double> columns(kColumns * kColumns, 0);
    for (int64_t column = 0; column != kColumns; ++column)
      columns[permute(column) * kColumns + column] = 1;
    std::vector<double> numbers(x.begin(), x.end());
    std::vector<std::vector<double>> inputs = {numbers, columns};
    if (of.chain.stray)
      inputs.push_back(numbers);
    std::vector<run::HostTensor> outputs;
    std::string error = runArtifact(artifact, of.policySeed, inputs, outputs,
                                    GROUT_PLAN_COMPILED);
    if (!error.empty()) {
      bool isOfOrder =
          of.hasOtherOrder && llvm::StringRef(error).contains("resident");
      EXPECT_TRUE(of.hasWrongCode() || of.mayBeWrong() || isOfOrder) << error;
      ++numFailed;
      return;
    }
    if (of.mayBeWrong())
      return;
    expectEqual(outputs, of.chain.compute(x));
    ++numRight;
    if (of.hasReference)
      expectCheck(of.chain, artifact, x, inputs, outputs);
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
    RandomCase of(random);
    // Mostly one fault, as the first that is found hides others.
    constexpr unsigned numsFaults[] = {0, 1, 1, 1, 1, 2, 3};
    for (unsigned i = numsFaults[random() % std::size(numsFaults)]; i != 0; --i)
      of.damage(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + of.str());
    FailureOr<std::vector<uint8_t>> artifact = compile(of);
    if (succeeded(artifact)) {
      EXPECT_FALSE(of.isSurelyOdd()) << "odd types are taken";
      return expectRight(of, *artifact);
    }
    ++numRefused;
    ASSERT_FALSE(errors.empty()) << "it fails without a word";
    EXPECT_FALSE(isa<UnknownLoc>(errors.front().first)) << "it has no place";
    EXPECT_TRUE(blamesTheRight(of))
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
  RandomCase of(random);
  ASSERT_GT(of.chain.ops.size(), 2u);
  ASSERT_FALSE(of.isOdd());
  of.mode = tsync::Mode::persistent;
  for (unsigned fault = 1; fault != kNumCodeFaults; ++fault) {
    of.codeFault = static_cast<CodeFault>(fault);
    EXPECT_TRUE(failed(compile(of))) << "fault " << fault;
    EXPECT_TRUE(llvm::any_of(
        errors,
        [](const auto &error) {
          return llvm::StringRef(error.second).contains("the generator ");
        }))
        << "fault " << fault;
  }
}

} // namespace
