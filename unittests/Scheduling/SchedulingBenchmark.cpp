//===- SchedulingBenchmark.cpp - What scheduling costs --------------------===//
//
// Part of Grout. Prints the table of docs/ConstraintScheduling.md; not a test.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>

namespace grout::test {
namespace {

/// The least processor time of some runs, in milliseconds, or "refused".
std::string timeOf(const Scheduler &scheduler, const SchedulingProblem &problem,
                   const ConstraintTree *tree) {
  double best = 0;
  SchedulerOptions options;
  options.maxOperations = 0;
  for (int run = 0; run < 5; ++run) {
    std::clock_t start = std::clock();
    llvm::Expected<SchedulingResult> result =
        scheduler.schedule(problem, tree, options);
    double took = 1e3 * (std::clock() - start) / CLOCKS_PER_SEC;
    if (!result) {
      llvm::consumeError(result.takeError());
      return "refused";
    }
    if (run == 0 || took < best)
      best = took;
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.1f", best);
  return text;
}

/// The smallest power of two that is budget enough for the scheduler's own
/// schedule.
uint64_t budgetOf(const SchedulingProblem &problem) {
  for (SchedulerOptions options{/*maxOperations=*/16};;
       options.maxOperations *= 2) {
    llvm::Expected<SchedulingResult> result =
        createIlpScheduler()->schedule(problem, nullptr, options);
    if (result && result->origin == SchedulingResult::Origin::Completed)
      return options.maxOperations;
    llvm::consumeError(result.takeError());
  }
}

/// A tree that fixes every loop of a chain.
ConstraintTree prescribe(const SchedulingProblem &problem) {
  std::vector<NodePtr> nodes;
  for (const std::string &iterator : problem.getStatements()[0].iterators) {
    std::string ones;
    for (const ScopStatement &statement : problem.getStatements())
      ones += statement.name + "." + iterator + " ";
    nodes.push_back(coincident(loop(problem, ones)));
  }
  return treeOf(path(std::move(nodes)));
}

void report(const std::string &name, const SchedulingProblem &problem,
            bool prescribed) {
  ConstraintTree tree;
  if (prescribed)
    tree = prescribe(problem);
  llvm::outs() << "| " << name << " | "
               << timeOf(*createIslScheduler(), problem, nullptr) << " | "
               << timeOf(*createIlpScheduler(), problem, nullptr) << " | "
               << (prescribed ? timeOf(*createIlpScheduler(), problem, &tree)
                              : "-")
               << " | " << budgetOf(problem) << " |\n";
  llvm::outs().flush();
}

} // namespace
} // namespace grout::test

int main() {
  using namespace grout;
  using namespace grout::test;
  llvm::outs() << "| case | isl, ms | ours, ms | ours with a tree that fixes "
                  "all, ms | budget |\n|---|---|---|---|---|\n";
  for (unsigned statements : {10, 20, 40, 50}) {
    IslContext context;
    report("chain of " + std::to_string(statements) + ", 4-D",
           makeChain(context, statements, 4, 64), true);
  }
  for (unsigned statements : {10, 50}) {
    IslContext context;
    report("chain of " + std::to_string(statements) + " stencils, 2-D",
           makeChain(context, statements, 2, 64, 1), false);
  }
  for (const NamedProblem &kernel : getKernels()) {
    IslContext context;
    report(kernel.name, makeProblem(context, kernel), false);
  }
}
