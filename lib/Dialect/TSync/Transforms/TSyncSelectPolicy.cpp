//===- TSyncSelectPolicy.cpp - Chooses the semaphores of dependences ------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/DerivePolicy.h"
#include "grout/Analysis/VerifyProgram.h"
#include "grout/Dialect/TSync/Transforms/ChainProgram.h"
#include "grout/Dialect/TSync/Transforms/Passes.h"
#include "grout/Dialect/TSync/Transforms/ProvedChains.h"
#include "grout/Runtime/DeviceABI.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "tsync-select-policy"

namespace grout::tsync {
#define GEN_PASS_DEF_TSYNCSELECTPOLICY
#include "grout/Dialect/TSync/Transforms/Passes.h.inc"
} // namespace grout::tsync

using namespace mlir;
using namespace grout;
using namespace grout::tsync;

/// The most isl operations for a policy of a granularity that the user asked
/// for. They take a few seconds.
static constexpr uint64_t kMaxOperations = 1'000'000;

/// Returns the dependence of `read`, or null.
static DependenceOp findDependence(const ChainProgram &chainProgram,
                                   ChainOp chain, const ChainRead &read) {
  return chain.findDependence(chainProgram.kernels[read.consumer],
                              read.operand->getOperandNumber());
}

/// Returns the dependence of `read` if it needs a policy and has none, else
/// null.
static DependenceOp findOpen(const ChainProgram &chainProgram, ChainOp chain,
                             const ChainRead &read) {
  for (DependenceOp dependence : chain.getDependences())
    if (dependence.getProducerKernel() == chainProgram.kernels[read.producer] &&
        dependence.getConsumerKernel() == chainProgram.kernels[read.consumer] &&
        dependence.getOperand() == read.operand->getOperandNumber() &&
        dependence.isByTile() && !dependence.getPolicy())
      return dependence;
  return {};
}

static bool isReadAfterSteps(const ChainRead &read) {
  auto consumer = cast<TileKernelOpInterface>(read.operand->getOwner());
  return consumer.isReadAfterSteps(*read.operand);
}

/// Remarks, at the consumer of `operand`, that it waits for more tiles than it
/// needs.
static void remarkKernel(OpOperand &operand, const Twine &why) {
  LDBG() << "gave up on fewer tiles than all for operand "
         << operand.getOperandNumber() << " of " << operand.getOwner()->getLoc()
         << ": " << why;
  operand.getOwner()->emitRemark()
      << "each of its tiles waits for all tiles that make operand "
      << operand.getOperandNumber() << ", since " << why;
}

namespace {

/// Counts the semaphores of a chain as code generators do: policies with the
/// same producer and the same numbering of its tiles share semaphores.
class SemaphoreCounter {
public:
  explicit SemaphoreCounter(const TileProgram &program) {
    for (const SynchronisedEdge &edge : program.edges)
      add(edge.producer, edge.policy);
  }

  void add(unsigned producer, const SemaphorePolicy &policy) {
    total = getTotalWith(producer, policy);
    arrays.push_back({producer, policy.semaphore, policy.shape});
  }

  uint64_t getTotalWith(unsigned producer,
                        const SemaphorePolicy &policy) const {
    if (llvm::is_contained(arrays,
                           Array(producer, policy.semaphore, policy.shape)))
      return total;
    uint64_t added = 1;
    for (int64_t extent : policy.shape)
      added = llvm::SaturatingMultiply<uint64_t>(added, extent);
    return llvm::SaturatingAdd(total, added);
  }

private:
  using Array = std::tuple<unsigned, AffineMap, SmallVector<int64_t>>;

  SmallVector<Array> arrays;
  uint64_t total = 0;
};

/// A policy; and, if it is coarser than requested, the reason.
struct PolicyChoice {
  DerivedPolicy derived;
  std::string whyKernel;
};

/// Chooses the policies of one chain.
class PolicySelector {
public:
  /// With `maxOperations`, a policy is replaced by a coarser one if it takes
  /// more isl operations than that, or too many semaphores.
  PolicySelector(ChainOp chain, const ChainProgram &chainProgram,
                 Granularity granularity, std::optional<uint64_t> maxOperations)
      : chain(chain), chainProgram(chainProgram), granularity(granularity),
        maxOperations(maxOperations), semaphores(chainProgram.program) {}

  LogicalResult run();

  /// Returns the dependences whose policies have the requested granularity.
  const llvm::SetVector<Operation *> &getFine() const { return fine; }

private:
  /// Derives one policy for all `reads`, which are of one consumer from one
  /// producer.
  llvm::Expected<DerivedPolicy> derive(ArrayRef<const ChainRead *> reads,
                                       Granularity granularity);
  /// Does the same with the requested granularity, or a coarser one.
  llvm::Expected<PolicyChoice> choose(ArrayRef<const ChainRead *> reads);
  /// Describes why `policy`, derived for `reads`, cannot be used; empty if it
  /// can. Of the errors, takes only the one that isl ran out of operations.
  std::string findProblem(ArrayRef<const ChainRead *> reads,
                          llvm::Expected<DerivedPolicy> &policy);
  /// Derives and sets the policy of `reads`. With `onlyExact`, sets it only if
  /// no wait covers more tiles than needed. Returns whether it was set.
  FailureOr<bool> assign(ArrayRef<const ChainRead *> reads, bool onlyExact);

  ChainOp chain;
  const ChainProgram &chainProgram;
  Granularity granularity;
  std::optional<uint64_t> maxOperations;
  SemaphoreCounter semaphores;
  /// The number of reads without a policy. Each will need at least one
  /// semaphore.
  size_t numOpen = 0;
  llvm::SetVector<Operation *> fine;
  IslContext context;
};

} // namespace

llvm::Expected<DerivedPolicy>
PolicySelector::derive(ArrayRef<const ChainRead *> reads,
                       Granularity granularity) {
  unsigned producer = reads.front()->producer;
  unsigned consumer = reads.front()->consumer;
  const TileProgram &program = chainProgram.program;
  std::optional<TileDependence> merged;
  for (const ChainRead *read : reads) {
    llvm::Expected<TileDependence> dependence = deriveDependence(
        context, producer, program.kernels[producer],
        program.writes[read->write].access, consumer, program.kernels[consumer],
        read->operand->getOperandNumber(), read->access);
    if (dependence && merged)
      dependence = mergeDependences(*merged, *dependence);
    if (!dependence)
      return dependence.takeError();
    merged = std::move(*dependence);
  }
  // An operand of the epilogue is waited for once, after all steps.
  bool afterSteps = isReadAfterSteps(*reads.front());
  Granularity chosen = afterSteps && granularity == Granularity::Tile
                           ? Granularity::Row
                           : granularity;
  llvm::Expected<DerivedPolicy> policy =
      derivePolicy(*merged, program.kernels[producer],
                   program.kernels[consumer], chosen, chain.getContext());
  // Tiles whose guards skip the read do not wait for it, either.
  if (policy && reads.size() == 1) {
    unsigned rank = program.kernels[consumer].grid.size();
    llvm::copy_if(reads.front()->access.guards,
                  std::back_inserter(policy->policy.guards),
                  [&](AffineExpr guard) {
                    return AffineMap::inferFromExprList(ArrayRef(guard),
                                                        guard.getContext())
                               .front()
                               .getNumDims() <= rank;
                  });
  }
  return policy;
}

std::string PolicySelector::findProblem(ArrayRef<const ChainRead *> reads,
                                        llvm::Expected<DerivedPolicy> &policy) {
  if (policy) {
    size_t others = numOpen - reads.size();
    return semaphores.getTotalWith(reads.front()->producer, policy->policy) +
                       others <=
                   kernelabi::kMaxSemaphores
               ? ""
               : "waits for fewer need more than the " +
                     std::to_string(kernelabi::kMaxSemaphores) +
                     " semaphores that a chain may have";
  }
  std::string problem;
  llvm::Error rest = llvm::handleErrors(
      policy.takeError(),
      [&](std::unique_ptr<AnalysisError> error) -> llvm::Error {
        if (error->getKind() != AnalysisErrorKind::GaveUp)
          return llvm::Error(std::move(error));
        problem = "it takes too long to find which of them it needs; "
                  "granularity row tries five times as long";
        return llvm::Error::success();
      });
  if (rest)
    policy = std::move(rest);
  return problem;
}

llvm::Expected<PolicyChoice>
PolicySelector::choose(ArrayRef<const ChainRead *> reads) {
  context.setMaxOperations(maxOperations.value_or(kMaxOperations));
  llvm::Expected<DerivedPolicy> policy = derive(reads, granularity);
  context.setMaxOperations(IslContext::defaultMaxOperations);
  std::string problem;
  if (maxOperations) {
    problem = findProblem(reads, policy);
    if (!problem.empty())
      policy = derive(reads, Granularity::Kernel);
  }
  if (!policy)
    return policy.takeError();
  return PolicyChoice{std::move(*policy), std::move(problem)};
}

FailureOr<bool> PolicySelector::assign(ArrayRef<const ChainRead *> reads,
                                       bool onlyExact) {
  llvm::Expected<PolicyChoice> choice = choose(reads);
  if (!choice)
    return chainProgram.kernels[reads.front()->consumer]->emitOpError()
           << "policy cannot be derived: "
           << llvm::toString(choice.takeError());
  const DerivedPolicy &derived = choice->derived;
  if (onlyExact && !(derived.exactClasses && derived.exactWaits)) {
    LDBG() << reads.size() << " operands of "
           << chainProgram.kernels[reads.front()->consumer]->getLoc()
           << " share no semaphores: tiles would wait for more than they need";
    return false;
  }
  if (!choice->whyKernel.empty())
    remarkKernel(*reads.front()->operand, choice->whyKernel);
  for (const ChainRead *read : reads) {
    DependenceOp dependence = findOpen(chainProgram, chain, *read);
    dependence.setPolicyAttr(toPolicyAttr(derived.policy));
    LDBG() << "operand " << dependence.getOperand() << " of "
           << dependence.getConsumerKernel().getLoc() << " waits for "
           << dependence.getProducerKernel().getLoc() << ": granularity "
           << stringifyGranularity(
                  choice->whyKernel.empty() ? granularity : Granularity::Kernel)
           << ", semaphores of shape ["
           << llvm::interleaved(derived.policy.shape) << "]"
           << (reads.size() > 1 ? ", shared with other operands" : "");
    if (choice->whyKernel.empty())
      fine.insert(dependence);
  }
  chain.removeResidentsAttr();
  semaphores.add(reads.front()->producer, derived.policy);
  numOpen -= reads.size();
  return true;
}

LogicalResult PolicySelector::run() {
  // Reads of the epilogue form groups of their own: their waits come later.
  using Group = std::tuple<unsigned, unsigned, unsigned>;
  llvm::MapVector<Group, SmallVector<const ChainRead *>> groups;
  for (const ChainRead &read : chainProgram.reads)
    if (findOpen(chainProgram, chain, read)) {
      groups[{read.producer, read.consumer, isReadAfterSteps(read)}].push_back(
          &read);
      ++numOpen;
    }

  for (auto &[group, reads] : groups) {
    // Reads of one producer share semaphores, unless a wait for one operand
    // would then also wait for tiles that only another operand needs.
    if (reads.size() > 1) {
      FailureOr<bool> shared = assign(reads, /*onlyExact=*/true);
      if (failed(shared))
        return failure();
      if (*shared)
        continue;
    }
    for (const ChainRead *read : reads)
      if (failed(assign(read, /*onlyExact=*/false)))
        return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Policies that can be proved
//===----------------------------------------------------------------------===//

/// Whether `failure` concerns read number `index`, or the semaphores of
/// `dependence`.
static bool isAbout(const VerifyFailure &failure, unsigned index,
                    DependenceOp dependence, const ChainProgram &chainProgram) {
  return failure.read == index ||
         (failure.edge && chainProgram.edges[*failure.edge] == dependence);
}

/// Returns the reads of dependences in `fine` at which the proof in `result`
/// gave up. If it gave up at none of them, returns all reads of dependences in
/// `fine`.
static SmallVector<const ChainRead *>
findHardReads(ChainOp chain, const ChainProgram &chainProgram,
              const VerifyResult &result,
              const llvm::SetVector<Operation *> &fine) {
  SmallVector<const ChainRead *> all, hard;
  for (unsigned index = 0; index < chainProgram.reads.size(); ++index) {
    const ChainRead &read = chainProgram.reads[index];
    DependenceOp dependence = findDependence(chainProgram, chain, read);
    if (!dependence || !fine.contains(dependence))
      continue;
    all.push_back(&read);
    if (llvm::any_of(result.failures, [&](const VerifyFailure &failure) {
          return isAbout(failure, index, dependence, chainProgram);
        }))
      hard.push_back(&read);
  }
  return hard.empty() ? all : hard;
}

/// Gives `reads` a policy with one semaphore for all of each producer kernel.
static LogicalResult coarsen(ChainOp chain, const ChainProgram &chainProgram,
                             ArrayRef<const ChainRead *> reads,
                             llvm::SetVector<Operation *> &fine) {
  for (const ChainRead *read : reads) {
    remarkKernel(*read->operand,
                 "it takes too long to prove that fewer are enough");
    DependenceOp dependence = findDependence(chainProgram, chain, *read);
    dependence.removePolicyAttr();
    fine.remove(dependence);
  }
  return PolicySelector(chain, chainProgram, Granularity::Kernel,
                        /*maxOperations=*/std::nullopt)
      .run();
}

/// Proves `chain`. If the proof takes too long, makes those policies of `fine`
/// coarser at which it gave up, and then all of `fine`. Leaves chains that are
/// wrong, or still too hard, to tsync-verify.
static LogicalResult proveOrCoarsen(ChainOp chain,
                                    llvm::SetVector<Operation *> fine,
                                    uint64_t maxOperations,
                                    ProvedChains &proved) {
  for (bool isFirst = true;; isFirst = false) {
    FailureOr<ChainProgram> chainProgram = ChainProgram::get(chain);
    if (failed(chainProgram))
      return failure();
    VerifyResult result =
        verifyProgram(IslContext(maxOperations), chainProgram->program);
    if (result.succeeded())
      proved.add(chain, result.requiredResidents);
    if (!result.gaveUp() || fine.empty())
      return success();
    SmallVector<const ChainRead *> reads = findHardReads(
        chain, *chainProgram, isFirst ? result : VerifyResult(), fine);
    if (failed(coarsen(chain, *chainProgram, reads, fine)))
      return failure();
  }
}

namespace {

struct TSyncSelectPolicy
    : tsync::impl::TSyncSelectPolicyBase<TSyncSelectPolicy> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([&](ChainOp chain) {
      if (!chain.isSynchronisedByTile()) {
        if (!isAuto())
          warnOfGranularity(chain);
        return WalkResult::advance();
      }
      return WalkResult(selectPolicies(chain));
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    if (isAuto())
      markAnalysesPreserved<ProvedChains>();
  }

private:
  bool isAuto() const { return granularity == GranularityOption::Auto; }

  LogicalResult selectPolicies(ChainOp chain) {
    FailureOr<ChainProgram> chainProgram = ChainProgram::get(chain);
    if (failed(chainProgram))
      return failure();
    ProvedChains &proved = getAnalysis<ProvedChains>();
    proved.remove(chain);
    PolicySelector selector(
        chain, *chainProgram, getFirstGranularity(granularity),
        isAuto() ? std::optional<uint64_t>(maxOperations) : std::nullopt);
    if (failed(selector.run()))
      return failure();
    if (!isAuto() || chainProgram->program.order.empty())
      return success();
    return proveOrCoarsen(chain, selector.getFine(), maxProofOperations,
                          proved);
  }

  /// Warns that the granularity has no effect on `chain`, in which no tiles
  /// wait.
  void warnOfGranularity(ChainOp chain) {
    chain.emitWarning() << "granularity "
                        << stringifyGranularity(
                               getFirstGranularity(granularity))
                        << " is not used: in mode "
                        << stringifyMode(chain.getMode())
                        << " its kernels wait for kernels; in modes "
                           "persistent and overlap tiles wait for tiles";
  }
};

} // namespace
