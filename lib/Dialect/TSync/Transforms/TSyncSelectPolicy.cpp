//===- TSyncSelectPolicy.cpp - Chooses the semaphores of dependences ------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/DerivePolicy.h"
#include "grout/Dialect/TSync/Transforms/ChainProgram.h"
#include "grout/Dialect/TSync/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace grout::tsync {
#define GEN_PASS_DEF_TSYNCSELECTPOLICY
#include "grout/Dialect/TSync/Transforms/Passes.h.inc"
} // namespace grout::tsync

using namespace mlir;
using namespace grout;
using namespace grout::tsync;

static constexpr StringLiteral kAuto = "auto";

/// The operations of isl that `auto` spends on one policy before it takes one
/// that is simpler: a second or two.
static constexpr uint64_t kAutoBudget = 200'000;

/// What `name` asks for. `auto` begins with `row`: on the GPUs measured so far,
/// waiting at every step has never paid for its polls.
static std::optional<Granularity> parseGranularity(StringRef name) {
  if (name == kAuto || name == "row")
    return Granularity::Row;
  if (name == "tile")
    return Granularity::Tile;
  if (name == "kernel")
    return Granularity::Kernel;
  return std::nullopt;
}

/// The dependence of a read that needs a policy and has none, if there is one.
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

namespace {

/// Chooses the policies of one chain.
class PolicySelector {
public:
  PolicySelector(ChainOp chain, const ChainProgram &chainProgram,
                 Granularity granularity, bool mayFallBack)
      : chain(chain), chainProgram(chainProgram), granularity(granularity),
        mayFallBack(mayFallBack) {}

  LogicalResult run();

private:
  /// The policy for what `reads`, of one consumer from one producer, need
  /// together.
  llvm::Expected<DerivedPolicy> derive(ArrayRef<const ChainRead *> reads,
                                       Granularity granularity);
  /// The same in the granularity that was asked for, or a coarser one.
  llvm::Expected<DerivedPolicy> deriveAny(ArrayRef<const ChainRead *> reads);
  /// Derives and sets the policy of `reads`. With `onlyExact`, does so only if
  /// no wait covers more than is needed; returns whether it was set.
  FailureOr<bool> assign(ArrayRef<const ChainRead *> reads, bool onlyExact);

  ChainOp chain;
  const ChainProgram &chainProgram;
  Granularity granularity;
  /// Whether a policy that is too hard to find may become a coarser one.
  bool mayFallBack;
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
  // An epilogue waits once.
  bool afterSteps = isReadAfterSteps(*reads.front());
  Granularity chosen = afterSteps && granularity == Granularity::Tile
                           ? Granularity::Row
                           : granularity;
  llvm::Expected<DerivedPolicy> policy =
      derivePolicy(*merged, program.kernels[producer],
                   program.kernels[consumer], chosen, chain.getContext());
  // Tiles that read nothing do not wait, either.
  if (policy && reads.size() == 1)
    policy->policy.guards = reads.front()->access.guards;
  return policy;
}

llvm::Expected<DerivedPolicy>
PolicySelector::deriveAny(ArrayRef<const ChainRead *> reads) {
  if (!mayFallBack)
    return derive(reads, granularity);
  context.setMaxOperations(kAutoBudget);
  llvm::Expected<DerivedPolicy> policy = derive(reads, granularity);
  context.setMaxOperations(IslContext::defaultMaxOperations);
  if (policy)
    return policy;
  bool gaveUp = false;
  llvm::Error rest = llvm::handleErrors(
      policy.takeError(),
      [&](std::unique_ptr<AnalysisError> error) -> llvm::Error {
        gaveUp = error->getKind() == AnalysisErrorKind::GaveUp;
        return gaveUp ? llvm::Error::success() : llvm::Error(std::move(error));
      });
  if (!gaveUp)
    return rest;
  TileKernelOpInterface consumer =
      chainProgram.kernels[reads.front()->consumer];
  consumer->emitRemark()
      << "each of its tiles waits for all tiles that make operand "
      << reads.front()->operand->getOperandNumber()
      << ", since it takes too long to find which of them it needs; "
         "granularity row tries ten times as long";
  return derive(reads, Granularity::Kernel);
}

FailureOr<bool> PolicySelector::assign(ArrayRef<const ChainRead *> reads,
                                       bool onlyExact) {
  llvm::Expected<DerivedPolicy> policy = deriveAny(reads);
  if (!policy)
    return chainProgram.kernels[reads.front()->consumer]->emitOpError()
           << "policy cannot be derived: "
           << llvm::toString(policy.takeError());
  if (onlyExact && !(policy->exactClasses && policy->exactWaits))
    return false;
  for (const ChainRead *read : reads)
    findOpen(chainProgram, chain, *read)
        .setPolicyAttr(toPolicyAttr(policy->policy));
  chain.removeResidentsAttr();
  return true;
}

LogicalResult PolicySelector::run() {
  // What only the epilogue reads is waited for later, and apart.
  using Group = std::tuple<unsigned, unsigned, unsigned>;
  llvm::MapVector<Group, SmallVector<const ChainRead *>> groups;
  for (const ChainRead &read : chainProgram.reads)
    if (findOpen(chainProgram, chain, read))
      groups[{read.producer, read.consumer, isReadAfterSteps(read)}].push_back(
          &read);

  for (auto &[group, reads] : groups) {
    // Reads of one producer share semaphores, unless a wait for one operand
    // would then be a wait for another operand's tiles as well.
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

static LogicalResult selectPolicies(ChainOp chain, Granularity granularity,
                                    bool mayFallBack) {
  FailureOr<ChainProgram> chainProgram = ChainProgram::get(chain);
  if (failed(chainProgram))
    return failure();
  return PolicySelector(chain, *chainProgram, granularity, mayFallBack).run();
}

namespace {

struct TSyncSelectPolicy
    : tsync::impl::TSyncSelectPolicyBase<TSyncSelectPolicy> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<Granularity> parsed = parseGranularity(granularity);
    if (!parsed) {
      getOperation()->emitError() << "unknown granularity '" << granularity
                                  << "'; it must be auto, tile, row or kernel";
      return signalPassFailure();
    }
    WalkResult result = getOperation()->walk([&](ChainOp chain) {
      if (!chain.isSynchronisedByTile()) {
        if (granularity != kAuto)
          warnOfGranularity(chain);
        return WalkResult::advance();
      }
      return WalkResult(selectPolicies(chain, *parsed, granularity == kAuto));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  /// Says that `chain`, in which no tiles wait, has no use for a granularity.
  void warnOfGranularity(ChainOp chain) {
    chain.emitWarning() << "granularity " << granularity
                        << " is not used: in mode "
                        << stringifyMode(chain.getMode())
                        << " its kernels wait for kernels; in modes "
                           "persistent and overlap tiles wait for tiles";
  }
};

} // namespace
