//===- RandomCase.cpp - Chains of which something may be wrong ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "RandomCase.h"

#include "../Target/TestTargets.h"
#include "FuzzedTarget.h"

using namespace grout;
using namespace grout::test;

/// Element types that the runtime has, and others.
static constexpr llvm::StringLiteral kElements[] = {"f64", "f16", "bf16", "i8",
                                                    "i16", "i32", "i64"};
static constexpr llvm::StringLiteral kOddElements[] = {
    "index",  "complex<f32>",  "i7",   "i128", "f80",
    "f8E5M2", "vector<2xf32>", "si32", "ui8",  "f128"};

/// Types that no operand and no result of such an op can have.
static constexpr llvm::StringLiteral kOddTypes[] = {
    "tensor<?x24xf32>",
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

/// Draws a chain, seldom of elements that are not f32.
static RandomChain drawChain(std::mt19937 &random) {
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
static StrayOp drawStray(unsigned numAnswers, std::mt19937 &random) {
  constexpr llvm::StringLiteral right = "tensor<50x24xf32>";
  std::string answers = "answers = " + std::to_string(numAnswers);
  std::string any = kOddTypes[random() % std::size(kOddTypes)].str();
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

/// Draws right answers.
static Answers drawAnswers(std::mt19937 &random) {
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
static void damage(Answers &answers, std::mt19937 &random) {
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

RandomCase::RandomCase(std::mt19937 &random) : chain(drawChain(random)) {
  allAnswers.clear();
  for (unsigned i = 0; i != chain.getNumSums(); ++i)
    allAnswers.push_back(drawAnswers(random));
  constexpr tsync::Mode modes[] = {tsync::Mode::serial,
                                   tsync::Mode::persistent};
  mode = modes[random() % std::size(modes)];
  constexpr tsync::GranularityOption granularities[] = {
      tsync::GranularityOption::Tile, tsync::GranularityOption::Row,
      tsync::GranularityOption::Kernel, tsync::GranularityOption::Auto};
  granularity = granularities[random() % std::size(granularities)];
  hasReference = random() % 2 == 0;
  policySeed = random();
  orderSeed = random();
  spec = getSpec("cpu", "fuzz-cpu");
}

void RandomCase::damage(std::mt19937 &random) {
  switch (random() % 10) {
  case 0:
  case 1:
    ++numActions;
    return;
  case 2:
    codeFault = static_cast<CodeFault>(1 + random() % (kNumCodeFaults - 1));
    return;
  case 3:
    specFault = damageSpec(spec, random);
    return;
  case 4:
    hasOtherOrder = true;
    return;
  case 5:
    if (!chain.stray) {
      chain.stray = drawStray(allAnswers.size(), random);
      allAnswers.push_back(drawAnswers(random));
    }
    return;
  default:
    ::damage(allAnswers[random() % allAnswers.size()], random);
  }
}

/// Whether nothing is wrong with `answers`.
static bool areRight(const Answers &answers) {
  return answers.fault == Fault::none && answers.bodyFault == BodyFault::none &&
         answers.decomposition == Decomposition::right;
}

static bool hasOddElements(const RandomChain &chain) {
  return llvm::is_contained(kOddElements, chain.elementType);
}

bool RandomCase::isWrong(size_t op) const {
  if (hasOddElements(chain))
    return true;
  if (op >= chain.ops.size())
    return chain.stray.has_value();
  auto isSum = [](const ChainOp &op) { return op.kind == ChainOp::Sum; };
  if (!isSum(chain.ops[op]))
    return false;
  return !areRight(allAnswers[std::count_if(chain.ops.begin(),
                                            chain.ops.begin() + op, isSum)]);
}

bool RandomCase::isOdd() const { return chain.stray || hasOddElements(chain); }

bool RandomCase::isSurelyOdd() const {
  return hasOddElements(chain) ||
         (chain.stray &&
          !llvm::StringRef(chain.stray->text).contains("\"changes\""));
}

bool RandomCase::hasWrongCode() const {
  return codeFault != CodeFault::none ||
         llvm::any_of(allAnswers, [](const Answers &answers) {
           return answers.bodyFault != BodyFault::none;
         });
}

bool RandomCase::hasChangingAnswers() const {
  return llvm::any_of(allAnswers, [](const Answers &answers) {
    return answers.others != nullptr;
  });
}

bool RandomCase::mayBeWrong() const {
  return llvm::any_of(allAnswers, [](const Answers &answers) {
    return answers.fault == Fault::readSmall;
  });
}

std::string RandomCase::str() const {
  std::string text =
      "mode " + stringifyMode(mode).str() + ", " + std::to_string(numActions) +
      " actions of policy " + std::to_string(policySeed) + ", code fault " +
      std::to_string(static_cast<unsigned>(codeFault)) +
      (hasOtherOrder ? ", with another order" : "") + ", target fault '" +
      specFault + "'" + (hasReference ? ", with reference" : "");
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
  return text + "\n" + chain.str();
}
