//===- VerifyProgram.cpp - Proof that a tile program is safe --------------===//
//
// Part of Grout. The proofs are explained in docs/TileDependences.md.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/VerifyProgram.h"

#include "ProgramChecks.h"
#include "ProgramRelations.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace grout {
namespace detail {
namespace {

VerifyFailureKind getFailureKind(AnalysisErrorKind kind) {
  switch (kind) {
  case AnalysisErrorKind::Invalid:
  case AnalysisErrorKind::UnwrittenElement:
  case AnalysisErrorKind::OverwrittenRead:
    return VerifyFailureKind::Invalid;
  case AnalysisErrorKind::UnwrittenRead:
    return VerifyFailureKind::UnwrittenRead;
  case AnalysisErrorKind::DoubleWrite:
    return VerifyFailureKind::DoubleWrite;
  case AnalysisErrorKind::GaveUp:
    return VerifyFailureKind::GaveUp;
  }
  llvm_unreachable("unknown kind");
}

/// Runs the checks of one program and collects failures.
class Verifier {
public:
  Verifier(const IslContext &context, const TileProgram &program,
           const VerifyOptions &options)
      : context(context), ctx(context.get()), program(program),
        options(options) {}

  VerifyResult run();

private:
  using Kind = VerifyFailureKind;

  /// Runs one check within a budget of its own.
  template <typename Body> bool check(Body body) {
    size_t numFailures = result.failures.size();
    llvm::Expected<bool> done = guarded(context, [&] {
      body();
      return true;
    });
    if (!done)
      addError(done.takeError());
    return result.failures.size() == numFailures;
  }

  void addError(llvm::Error error) {
    llvm::handleAllErrors(std::move(error), [&](const AnalysisError &failed) {
      VerifyFailure failure;
      failure.kind = getFailureKind(failed.getKind());
      failure.message = failed.getMessage().str();
      result.failures.push_back(std::move(failure));
    });
  }

  TilePoint makePoint(unsigned kernel, llvm::ArrayRef<int64_t> coordinates) {
    TilePoint point;
    point.kernel = kernel;
    size_t rank = program.kernels[kernel].grid.size();
    point.tile = llvm::to_vector(coordinates.take_front(rank));
    if (coordinates.size() > rank)
      point.step = coordinates.back();
    return point;
  }

  /// Adds a failure about a consumer tile and a producer tile of `missed`.
  void addPair(Kind kind, const isl::map &missed, unsigned consumer,
               unsigned producer, const std::string &verb,
               const std::string &rest) {
    PairPoint pair = samplePair(missed);
    VerifyFailure failure;
    failure.kind = kind;
    failure.consumer = makePoint(consumer, pair.in);
    failure.producer = makePoint(producer, pair.out);
    failure.message = "tile " + formatPoint(program, *failure.consumer) + " " +
                      verb + " tile " +
                      formatPoint(program, *failure.producer) + rest;
    result.failures.push_back(std::move(failure));
  }

  bool isInput(unsigned tensor) const {
    return llvm::none_of(program.writes, [&](const ProgramAccess &write) {
      return write.tensor == tensor;
    });
  }
  bool isOutput(unsigned tensor) const {
    return program.tensors[tensor].isOutput ||
           llvm::none_of(program.reads, [&](const ProgramAccess &read) {
             return read.tensor == tensor;
           });
  }

  /// Computes `relations`. Returns false if that gave up.
  bool findRelations();
  void checkWriters(unsigned tensor);
  void checkRead(unsigned index);
  void checkSharedBuffer(unsigned first, unsigned second);
  bool isOverwriteOrdered(unsigned earlier, unsigned later, bool report);
  void checkOverwrite(const isl::map &access, unsigned accessKernel,
                      unsigned write, bool sameTileIsOrdered, bool sameLayout,
                      bool report, bool &ordered);
  /// Checks that no tile of kernel `first` has the same place as another tile
  /// of it, or of a later kernel.
  void checkOrderTies(llvm::ArrayRef<isl::map> orders, unsigned first);
  /// Whether no two tiles have the same place.
  bool isOrderTotal();
  /// Returns a failure if edge `index` waits for a tile that does not come
  /// before.
  std::optional<VerifyFailure> findLaterTile(unsigned index);
  void checkDeadlock();

  const IslContext &context;
  isl::ctx ctx;
  const TileProgram &program;
  const VerifyOptions &options;
  std::optional<ProgramRelations> relations;
  VerifyResult result;
};

/// Checks that no two tiles write the same element.
void Verifier::checkWriters(unsigned tensor) {
  for (auto [first, one] : llvm::enumerate(program.writes)) {
    if (one.tensor != tensor)
      continue;
    requireSingleWriter(relations->getWrite(first));
    for (unsigned second = first + 1; second < program.writes.size();
         ++second) {
      const ProgramAccess &other = program.writes[second];
      if (other.tensor != tensor)
        continue;
      isl::map shared = relations->getWrite(first).apply_range(
          relations->getWrite(second).reverse());
      if (!shared.is_empty())
        return addPair(Kind::DoubleWrite, shared, one.kernel, other.kernel,
                       "writes an element that is also written by", "");
    }
  }
}

/// Checks that every read comes after the writes of its elements.
void Verifier::checkRead(unsigned index) {
  const ProgramAccess &read = program.reads[index];
  if (isInput(read.tensor))
    return;
  const isl::map &reads = relations->getRead(index);
  isl::set written = isl::set::empty(reads.space().range());
  for (auto [position, write] : llvm::enumerate(program.writes))
    if (write.tensor == read.tensor)
      written = written.unite(relations->getWrite(position).range());
  requireAllWritten(reads, written);

  for (auto [position, write] : llvm::enumerate(program.writes)) {
    if (write.tensor != read.tensor)
      continue;
    isl::map needed =
        reads.apply_range(relations->getWrite(position).reverse()).coalesce();
    isl::map missed = relations->removeOrderedSteps(needed, read, write.kernel);
    if (!missed.is_empty())
      return addPair(Kind::UnsynchronisedRead, missed, read.kernel,
                     write.kernel, "reads what is written by",
                     ", but does not wait for it (operand " +
                         std::to_string(read.operand) + ")");
  }
}

/// Checks whether a write to the later tensor comes after an access to the
/// earlier one.
void Verifier::checkOverwrite(const isl::map &access, unsigned accessKernel,
                              unsigned write, bool sameTileIsOrdered,
                              bool sameLayout, bool report, bool &ordered) {
  unsigned writeKernel = program.writes[write].kernel;
  const isl::map &writes = relations->getWrite(write);
  isl::set writers = writes.domain(), accessors = access.domain();
  isl::map missed = sameLayout ? writes.apply_range(access.reverse())
                               : isl::manage(isl_map_from_domain_and_range(
                                     writers.copy(), accessors.copy()));
  if (sameTileIsOrdered && accessKernel == writeKernel)
    missed = missed.subtract(writers.identity());
  missed =
      missed.subtract(relations->getTilesBefore(writeKernel, accessKernel));
  if (missed.is_empty())
    return;
  ordered = false;
  if (report)
    addPair(Kind::UnsynchronisedOverwrite, missed, writeKernel, accessKernel,
            "overwrites a buffer that is still used by", "");
}

bool Verifier::isOverwriteOrdered(unsigned earlier, unsigned later,
                                  bool report) {
  bool ordered = true;
  const TensorInfo &one = program.tensors[earlier];
  const TensorInfo &other = program.tensors[later];
  bool sameLayout =
      one.shape == other.shape && one.elementBits == other.elementBits;
  for (auto [position, write] : llvm::enumerate(program.writes)) {
    if (write.tensor != later)
      continue;
    for (auto [index, read] : llvm::enumerate(program.reads))
      if (ordered && read.tensor == earlier)
        checkOverwrite(
            relations->getRead(index)
                .apply_domain(stepToTile(ctx, program.kernels[read.kernel]))
                .coalesce(),
            read.kernel, position, /*sameTileIsOrdered=*/true, sameLayout,
            report, ordered);
    for (auto [index, access] : llvm::enumerate(program.writes))
      if (ordered && access.tensor == earlier)
        checkOverwrite(relations->getWrite(index), access.kernel, position,
                       /*sameTileIsOrdered=*/false, sameLayout, report,
                       ordered);
  }
  return ordered;
}

/// Checks that of two tensors in a buffer, all accesses to one come before the
/// other is written.
void Verifier::checkSharedBuffer(unsigned first, unsigned second) {
  if (isInput(first) && isInput(second))
    return;
  auto mayPrecede = [&](unsigned earlier, unsigned later) {
    return !isOutput(earlier) && !isInput(later);
  };
  bool forward = mayPrecede(first, second), back = mayPrecede(second, first);
  if (forward && isOverwriteOrdered(first, second, /*report=*/false))
    return;
  if (back && isOverwriteOrdered(second, first, /*report=*/false))
    return;
  if (forward || back) {
    isOverwriteOrdered(forward ? first : second, forward ? second : first,
                       /*report=*/true);
    return;
  }
  VerifyFailure failure;
  failure.kind = Kind::UnsynchronisedOverwrite;
  failure.message = "tensors " + std::to_string(first) + " and " +
                    std::to_string(second) +
                    " share a buffer, but both are inputs or outputs";
  result.failures.push_back(std::move(failure));
}

/// Returns { tile -> time } of a kernel, on its grid.
static isl::map orderMap(isl::ctx ctx, const TileProgram &program,
                         unsigned kernel) {
  const TileKernel &tiles = program.kernels[kernel];
  return toMap(program.order[kernel],
               makeSpace(ctx, tiles.name, tiles.grid.size()))
      .intersect_domain(tileSet(ctx, tiles));
}

void Verifier::checkOrderTies(llvm::ArrayRef<isl::map> orders, unsigned first) {
  for (unsigned second = first; second < orders.size(); ++second) {
    isl::map same = orders[first].apply_range(orders[second].reverse());
    if (first == second)
      same = same.subtract(orders[first].domain().identity());
    if (!same.is_empty())
      return addPair(Kind::OrderTie, same, first, second,
                     "has the same place in the order as", "");
  }
}

bool Verifier::isOrderTotal() {
  std::vector<isl::map> orders;
  auto addOrders = [&] {
    for (unsigned kernel = 0; kernel < program.kernels.size(); ++kernel)
      orders.push_back(orderMap(ctx, program, kernel));
  };
  return check(addOrders) &&
         llvm::all_of(llvm::seq<unsigned>(orders.size()), [&](unsigned first) {
           return check([&] { checkOrderTies(orders, first); });
         });
}

std::optional<VerifyFailure> Verifier::findLaterTile(unsigned index) {
  const SynchronisedEdge &edge = program.edges[index];
  isl::map consumers = orderMap(ctx, program, edge.consumer);
  isl::map producers = orderMap(ctx, program, edge.producer);
  isl::map notBefore =
      isl::manage(isl_map_lex_le(consumers.space().range().release()));
  isl::map waits = relations->getWaitedTiles(index).intersect(
      consumers.apply_range(notBefore).apply_range(producers.reverse()));
  if (waits.is_empty())
    return std::nullopt;
  PairPoint pair = samplePair(waits);
  VerifyFailure late;
  late.kind = Kind::TooFewResidents;
  late.edge = index;
  late.consumer = makePoint(edge.consumer, pair.in);
  late.producer = makePoint(edge.producer, pair.out);
  return late;
}

void Verifier::checkDeadlock() {
  std::vector<unsigned> launches = program.getLaunchNumbers();
  std::optional<VerifyFailure> late;
  for (auto [index, edge] : llvm::enumerate(program.edges)) {
    // Tiles may wait for tiles of earlier launches: all blocks of these have a
    // place, or had one (docs/HopperSynchronisation.md).
    if (!launches.empty() && launches[edge.producer] != launches[edge.consumer])
      continue;
    unsigned position = index;
    if (!check([&] { late = findLaterTile(position); }))
      return;
    if (late)
      break;
  }
  if (!late) {
    result.isMonotone = true;
    result.requiredResidents = 1;
    return;
  }

  ResidentBound bound = findResidentBound(program, options.maxTiles);
  if (bound.failure) {
    result.failures.push_back(std::move(*bound.failure));
    return;
  }
  result.requiredResidents = bound.residents;
  if (!options.residents || *options.residents >= bound.residents)
    return;
  late->message = "deadlock: " + std::to_string(bound.residents) +
                  " resident tiles are needed, but there are " +
                  std::to_string(*options.residents) + "; tile " +
                  formatPoint(program, *late->consumer) +
                  " waits for the later tile " +
                  formatPoint(program, *late->producer);
  result.failures.push_back(std::move(*late));
}

bool Verifier::findRelations() {
  relations.emplace(ctx, program);
  for (unsigned read = 0; read < program.reads.size(); ++read)
    if (!check([&] { relations->addRead(read); })) {
      result.failures.back().read = read;
      return false;
    }
  for (unsigned write = 0; write < program.writes.size(); ++write)
    if (!check([&] { relations->addWrite(write); }))
      return false;
  for (unsigned edge = 0; edge < program.edges.size(); ++edge)
    if (!check([&] { relations->addEdge(edge); })) {
      result.failures.back().edge = edge;
      return false;
    }
  return true;
}

VerifyResult Verifier::run() {
  if (llvm::Error error = checkWellFormed(program)) {
    addError(std::move(error));
    return std::move(result);
  }
  for (unsigned edge = 0; edge < program.edges.size(); ++edge)
    if (auto failure = checkCounts(program, edge, options.maxTiles))
      result.failures.push_back(std::move(*failure));
  if (!findRelations())
    return std::move(result);

  for (unsigned tensor = 0; tensor < program.tensors.size(); ++tensor)
    check([&] { checkWriters(tensor); });
  for (unsigned read = 0; read < program.reads.size(); ++read)
    if (!check([&] { checkRead(read); }))
      result.failures.back().read = read;
  for (unsigned first = 0; first < program.tensors.size(); ++first)
    for (unsigned second = first + 1; second < program.tensors.size(); ++second)
      if (program.tensors[first].buffer == program.tensors[second].buffer)
        check([&] { checkSharedBuffer(first, second); });
  if (isOrderTotal())
    checkDeadlock();
  return std::move(result);
}

} // namespace

std::string formatPoint(const TileProgram &program, const TilePoint &point) {
  std::string text = formatTile(program.kernels[point.kernel].name, point.tile);
  if (point.step)
    text += " at step " + std::to_string(*point.step);
  return text;
}

} // namespace detail

VerifyResult verifyProgram(const IslContext &context,
                           const TileProgram &program,
                           const VerifyOptions &options) {
  return detail::Verifier(context, program, options).run();
}

llvm::StringRef stringifyFailureKind(VerifyFailureKind kind) {
  switch (kind) {
  case VerifyFailureKind::Invalid:
    return "invalid";
  case VerifyFailureKind::UnwrittenRead:
    return "unwritten read";
  case VerifyFailureKind::DoubleWrite:
    return "double write";
  case VerifyFailureKind::UnsynchronisedRead:
    return "unsynchronised read";
  case VerifyFailureKind::UnsynchronisedOverwrite:
    return "unsynchronised overwrite";
  case VerifyFailureKind::CountTooLow:
    return "count too low";
  case VerifyFailureKind::CountTooHigh:
    return "count too high";
  case VerifyFailureKind::OrderTie:
    return "order tie";
  case VerifyFailureKind::Cycle:
    return "cycle";
  case VerifyFailureKind::TooFewResidents:
    return "too few residents";
  case VerifyFailureKind::GaveUp:
    return "gave up";
  }
  llvm_unreachable("unknown kind");
}

bool VerifyResult::gaveUp() const {
  return !succeeded() && llvm::all_of(failures, [](const VerifyFailure &each) {
    return each.kind == VerifyFailureKind::GaveUp;
  });
}

std::string VerifyResult::str() const {
  std::string text;
  for (const VerifyFailure &failure : failures)
    text += (stringifyFailureKind(failure.kind) + ": " + failure.message + "\n")
                .str();
  return text;
}

} // namespace grout
