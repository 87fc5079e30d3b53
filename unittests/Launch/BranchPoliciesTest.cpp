//===- BranchPoliciesTest.cpp - Policies that place launches --------------===//
//
// Part of Grout. Random plans of products: what the policies make of them is
// verified as they run, and compared here with what they promise.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Passes.h"
#include "grout/Dialect/Launch/IR/LaunchOrder.h"
#include "grout/Dialect/Launch/Transforms/Passes.h"
#include "grout/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace mlir;
using namespace grout;
using namespace grout::launch;

namespace {

/// Of each product, the products that it multiplies; missing ones are the
/// function's argument.
using Operands = std::vector<std::vector<unsigned>>;

/// A function with one kernel for each product, in a chain.
std::string getText(const Operands &products, llvm::StringRef mode) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const char *type = "tensor<64x64xf16>";
  auto list = [&](const char *what) {
    llvm::interleaveComma(products, os, [&](const auto &) { os << what; });
  };
  os << "module attributes {grout.target = #grout.target<\"h200\">} {\n"
     << "func.func @f(%x: " << type << ") -> (";
  list(type);
  os << ") {\n%all:" << products.size() << " = tsync.chain mode(" << mode
     << ") : ";
  list(type);
  os << " {\n";
  for (auto [number, operands] : llvm::enumerate(products)) {
    os << "%" << number << " = tgemm.matmul ";
    for (unsigned operand = 0; operand != 2; ++operand) {
      os << (operand ? ", %" : "%");
      if (operand < operands.size())
        os << operands[operand];
      else
        os << "x";
    }
    os << " {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : " << type << ", "
       << type << " -> " << type << "\n";
  }
  os << "tsync.yield ";
  unsigned result = 0;
  llvm::interleaveComma(products, os,
                        [&](const auto &) { os << "%" << result++; });
  os << " : ";
  list(type);
  os << "\n}\nreturn ";
  result = 0;
  llvm::interleaveComma(products, os,
                        [&](const auto &) { os << "%all#" << result++; });
  os << " : ";
  list(type);
  os << "\n}\n}\n";
  return text;
}

Operands draw(std::mt19937 &generator, unsigned count) {
  Operands products(count);
  for (unsigned number = 1; number != count; ++number)
    for (unsigned operand = 0, e = generator() % 3; operand != e; ++operand)
      products[number].push_back(generator() % number);
  return products;
}

class BranchPoliciesTest : public testing::Test {
protected:
  BranchPoliciesTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The plan of `products`, by `policy`. Passes verify it.
  PlanOp run(const Operands &products, llvm::StringRef policy,
             llvm::StringRef mode = "pdl") {
    module = parseSourceString<ModuleOp>(getText(products, mode), &context);
    EXPECT_TRUE(module);
    PassManager passes(&context);
    passes.addPass(createLaunchFormPlans());
    LaunchScheduleOptions options;
    options.policy = policy.str();
    passes.addPass(createLaunchSchedule(options));
    passes.addPass(createConvertTilesToKernels());
    passes.addPass(createLaunchPlaceBuffers());
    EXPECT_TRUE(succeeded(passes.run(*module)));
    return *module->getOps<PlanOp>().begin();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

std::set<uint64_t> getBranches(PlanOp plan) {
  std::set<uint64_t> branches;
  for (LaunchOpInterface launch : plan.getLaunches())
    branches.insert(launch.getBranch());
  return branches;
}

TEST_F(BranchPoliciesTest, PlansAreVerifiedAndTheSameEachTime) {
  std::mt19937 generator(20261128);
  for (int i = 0; i != 10; ++i) {
    Operands products = draw(generator, 1 + generator() % 24);
    for (const char *policy : {"serial", "wave", "opara", "nimble"})
      for (const char *mode : {"pdl", "serial"}) {
        std::string first, second;
        llvm::raw_string_ostream(first) << run(products, policy, mode);
        llvm::raw_string_ostream(second) << run(products, policy, mode);
        EXPECT_EQ(first, second);
      }
  }
}

/// The fewest paths along `edges` that have all `count` launches, each in one:
/// one less for each that is the next of another one.
unsigned countPaths(const std::vector<std::set<unsigned>> &behind) {
  std::vector<int> previous(behind.size(), -1);
  std::function<bool(unsigned, std::set<unsigned> &)> match =
      [&](unsigned launch, std::set<unsigned> &seen) {
        for (unsigned other : behind[launch])
          if (seen.insert(other).second &&
              (previous[other] < 0 || match(previous[other], seen))) {
            previous[other] = static_cast<int>(launch);
            return true;
          }
        return false;
      };
  unsigned paths = behind.size();
  for (unsigned launch = 0; launch != behind.size(); ++launch) {
    std::set<unsigned> seen;
    paths -= match(launch, seen) ? 1 : 0;
  }
  return paths;
}

TEST_F(BranchPoliciesTest, NimbleHasAsFewBranchesAsPathsNeed) {
  std::mt19937 generator(4);
  for (int i = 0; i != 30; ++i) {
    Operands products = draw(generator, 1 + generator() % 14);
    unsigned count = products.size();
    // Which launches come behind which, and the edges that no path implies.
    std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count));
    std::vector<std::set<unsigned>> behind(count);
    for (unsigned number = 0; number != count; ++number)
      for (unsigned operand : products[number])
        for (unsigned before = 0; before <= operand; ++before)
          if (before == operand || reaches[before][operand])
            reaches[before][number] = true;
    for (unsigned number = 0; number != count; ++number)
      for (unsigned operand : products[number]) {
        bool isImplied = false;
        for (unsigned between = operand + 1; between < number; ++between)
          isImplied |= reaches[operand][between] && reaches[between][number];
        if (!isImplied)
          behind[operand].insert(number);
      }
    EXPECT_EQ(getBranches(run(products, "nimble")).size(), countPaths(behind));
  }
}

TEST_F(BranchPoliciesTest, BranchesOfNimbleAreNeverInEachOthersWay) {
  // Two launches on one branch depend on each other.
  std::mt19937 generator(5);
  for (int i = 0; i != 15; ++i) {
    Operands products = draw(generator, 1 + generator() % 14);
    PlanOp plan = run(products, "nimble");
    std::map<uint64_t, LaunchOpInterface> last;
    for (LaunchOpInterface launch : plan.getLaunches()) {
      LaunchOpInterface &before = last[launch.getBranch()];
      if (before)
        EXPECT_TRUE(llvm::any_of(launch.getReads(), [&](Value read) {
          return llvm::is_contained(before.getWrites(), read);
        }));
      before = launch;
    }
  }
}

TEST_F(BranchPoliciesTest, WaveRunsIndependentLaunchesSideBySide) {
  // One, four that need it, and one that needs two of these.
  EXPECT_THAT(getBranches(run({{}, {0}, {0}, {0}, {0}, {1, 2}}, "wave")),
              testing::SizeIs(4));
  // A chain stays one.
  EXPECT_THAT(getBranches(run({{}, {0}, {1}, {2}}, "wave")),
              testing::ElementsAre(0));
}

TEST_F(BranchPoliciesTest, ManyBranchesShareStreams) {
  Operands products(100);
  for (const char *policy : {"opara", "nimble"})
    EXPECT_THAT(getBranches(run(products, policy)), testing::SizeIs(32));
  EXPECT_THAT(getBranches(run(products, "wave")), testing::SizeIs(8));
}

} // namespace
