//===- LaunchGroups.cpp - Statements that share a launch ------------------===//
//
// Part of Grout. Starts with a group for each statement. Then merges the two
// groups whose merger saves the most time, until no merger saves time. At last,
// groups are cut (CutGroups.h).
//
//===----------------------------------------------------------------------===//

#include "LaunchGroups.h"

#include "CutGroups.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"
#include <map>
#include <set>

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// The number of points that keep a block busy.
static constexpr int64_t kPointsPerBlock = 1024;

std::optional<unsigned> LaunchGroup::Member::getIterator(unsigned loop) const {
  for (auto [iterator, ofIterator] : llvm::enumerate(loops))
    if (ofIterator == loop)
      return iterator;
  return std::nullopt;
}

static int64_t getSize(const LaunchGroup &group, bool outer) {
  int64_t size = 1;
  for (auto [extent, isOuter] : llvm::zip_equal(group.extents, group.isOuter))
    if (isOuter == outer)
      size *= extent;
  return size;
}

int64_t LaunchGroup::getOuterSize() const { return ::getSize(*this, true); }
int64_t LaunchGroup::getInnerSize() const { return ::getSize(*this, false); }

namespace {

using Member = LaunchGroup::Member;

/// Forms the launch groups of a kernel.
class GroupBuilder {
public:
  GroupBuilder(const KernelModel &model, const TargetSpec &target)
      : model(model), target(target) {
    for (auto [number, statement] : llvm::enumerate(model.statements))
      for (const AccessModel &access : statement.accesses)
        users[access.array].insert(number);
  }

  std::vector<LaunchGroup> form();
  /// See `formLaunchGroup`.
  std::optional<LaunchGroup> formOne(ArrayRef<unsigned> statements);

private:
  /// Makes the group of one statement, whose loops are its iterators.
  LaunchGroup makeSingle(unsigned statement);
  /// Returns a group with the statements of both, if one launch can run them.
  std::optional<LaunchGroup> merge(const LaunchGroup &a, const LaunchGroup &b);
  /// Distinguishes outer loops from inner ones, and finds the phases. Returns
  /// false if the work cannot be distributed to threads.
  bool arrange(LaunchGroup &group);
  void assignPhases(LaunchGroup &group);
  /// Returns the seconds that a launch of `group` takes.
  double estimateTime(const LaunchGroup &group);
  bool isLate(const LaunchGroup &group);
  /// Whether just one of the groups has to wait for other ops of the program,
  /// and a launch of both would delay other statements. These also wait for
  /// other ops, and depend on the early group, but not on the late one.
  bool delaysOthers(const LaunchGroup &a, const LaunchGroup &b);
  /// Whether dependences lead from group `from` to group `to` by way of another
  /// group.
  bool hasPathAround(unsigned from, unsigned to);
  std::vector<LaunchGroup> sort();

  const KernelModel &model;
  const TargetSpec &target;
  /// For each array, the statements that access it.
  llvm::MapVector<Value, std::set<unsigned>> users;
  /// Groups that were merged into others are empty.
  std::vector<LaunchGroup> groups;
};

/// Records which loops of two groups become one loop.
class FusedLoops {
public:
  FusedLoops(const LaunchGroup &a, const LaunchGroup &b)
      : ofA(a.extents.size()), ofB(b.extents.size()), a(a), b(b) {}

  /// Fuses two loops. Returns false if one is fused with another loop already,
  /// or if their extents differ.
  bool add(unsigned loopOfA, unsigned loopOfB) {
    if (ofA[loopOfA] == loopOfB)
      return true;
    if (ofA[loopOfA] || ofB[loopOfB] ||
        a.extents[loopOfA] != b.extents[loopOfB])
      return false;
    ofA[loopOfA] = loopOfB;
    ofB[loopOfB] = loopOfA;
    return true;
  }

  SmallVector<std::optional<unsigned>> ofA, ofB;

private:
  const LaunchGroup &a, &b;
};

} // namespace

/// Returns the member of `source` and the member of `target` that are the two
/// ends of `dependence`; none if these are in other groups.
static std::optional<std::pair<const Member *, const Member *>>
findEnds(const DependenceModel &dependence, const LaunchGroup &source,
         const LaunchGroup &target) {
  auto find = [](const LaunchGroup &group, unsigned statement) {
    return llvm::find_if(group.members, [&](const Member &member) {
      return member.statement == statement;
    });
  };
  auto from = find(source, dependence.source);
  auto to = find(target, dependence.target);
  if (from == source.members.end() || to == target.members.end())
    return std::nullopt;
  return std::pair(&*from, &*to);
}

/// Fuses loops that must be the same by dependences between the groups. Returns
/// false if these contradict each other.
static bool fuseByDependences(const KernelModel &model, const LaunchGroup &a,
                              const LaunchGroup &b, FusedLoops &fused) {
  for (const DependenceModel &dependence : model.dependences)
    for (bool forward : {true, false}) {
      auto ends = findEnds(dependence, forward ? a : b, forward ? b : a);
      if (!ends)
        continue;
      for (auto [p, q] : dependence.equal) {
        std::optional<unsigned> loopOfSource = ends->first->loops[p];
        std::optional<unsigned> loopOfTarget = ends->second->loops[q];
        if (!loopOfSource || !loopOfTarget)
          continue;
        if (!(forward ? fused.add(*loopOfSource, *loopOfTarget)
                      : fused.add(*loopOfTarget, *loopOfSource)))
          return false;
      }
    }
  return true;
}

static bool sharesArrays(const KernelModel &model, const LaunchGroup &a,
                         const LaunchGroup &b) {
  for (const Member &x : a.members)
    for (const Member &y : b.members)
      for (const AccessModel &ofX : model.statements[x.statement].accesses)
        for (const AccessModel &ofY : model.statements[y.statement].accesses)
          if (ofX.array == ofY.array)
            return true;
  return false;
}

/// Fuses loops along which both groups access an array with the same stride.
static void fuseByArrays(const KernelModel &model, const LaunchGroup &a,
                         const LaunchGroup &b, FusedLoops &fused) {
  for (const Member &x : a.members)
    for (const Member &y : b.members)
      for (const AccessModel &ofX : model.statements[x.statement].accesses)
        for (const AccessModel &ofY : model.statements[y.statement].accesses) {
          if (ofX.array != ofY.array || !ofX.isLinear || !ofY.isLinear)
            continue;
          for (auto [p, loopOfX] : llvm::enumerate(x.loops))
            for (auto [q, loopOfY] : llvm::enumerate(y.loops))
              if (loopOfX && loopOfY && ofX.strides[p] != 0 &&
                  ofX.strides[p] == ofY.strides[q])
                fused.add(*loopOfX, *loopOfY);
        }
}

/// Fuses the remaining loops in order, if both groups have the same number of
/// them, with the same extents.
static void fuseByExtents(const LaunchGroup &a, const LaunchGroup &b,
                          FusedLoops &fused) {
  SmallVector<unsigned> restOfA, restOfB;
  for (unsigned loop = 0, e = a.extents.size(); loop != e; ++loop)
    if (!fused.ofA[loop])
      restOfA.push_back(loop);
  for (unsigned loop = 0, e = b.extents.size(); loop != e; ++loop)
    if (!fused.ofB[loop])
      restOfB.push_back(loop);
  if (restOfA.size() != restOfB.size())
    return;
  for (auto [x, y] : llvm::zip_equal(restOfA, restOfB))
    if (a.extents[x] != b.extents[y])
      return;
  for (auto [x, y] : llvm::zip_equal(restOfA, restOfB))
    fused.add(x, y);
}

LaunchGroup GroupBuilder::makeSingle(unsigned number) {
  const StatementModel &statement = model.statements[number];
  LaunchGroup group;
  Member member;
  member.statement = number;
  for (int64_t extent : statement.extents) {
    std::optional<unsigned> loop;
    if (extent != 1) {
      loop = group.extents.size();
      group.extents.push_back(extent);
    }
    member.loops.push_back(loop);
  }
  group.members.push_back(std::move(member));
  group.isMappable = arrange(group);
  return group;
}

std::optional<LaunchGroup> GroupBuilder::merge(const LaunchGroup &a,
                                               const LaunchGroup &b) {
  if (!a.isMappable || !b.isMappable)
    return std::nullopt;
  FusedLoops fused(a, b);
  if (!fuseByDependences(model, a, b, fused))
    return std::nullopt;
  fuseByArrays(model, a, b, fused);
  fuseByExtents(a, b, fused);
  // Groups that share no array may share a launch if all of their loops fuse.
  bool areIndependent = !sharesArrays(model, a, b);
  if (areIndependent && (llvm::is_contained(fused.ofA, std::nullopt) ||
                         llvm::is_contained(fused.ofB, std::nullopt)))
    return std::nullopt;

  LaunchGroup group = a;
  SmallVector<unsigned> newLoops;
  for (auto [loop, ofFirst] : llvm::enumerate(fused.ofB)) {
    newLoops.push_back(ofFirst.value_or(group.extents.size()));
    if (!ofFirst)
      group.extents.push_back(b.extents[loop]);
  }
  for (Member member : b.members) {
    for (std::optional<unsigned> &loop : member.loops)
      if (loop)
        loop = newLoops[*loop];
    group.members.push_back(std::move(member));
  }
  llvm::sort(group.members, [](const Member &x, const Member &y) {
    return x.statement < y.statement;
  });
  group.isMappable = arrange(group);
  if (!group.isMappable)
    return std::nullopt;
  return group;
}

bool GroupBuilder::arrange(LaunchGroup &group) {
  group.isOuter.assign(group.extents.size(), true);
  for (const Member &member : group.members)
    for (unsigned loop = 0, e = group.extents.size(); loop != e; ++loop) {
      std::optional<unsigned> iterator = member.getIterator(loop);
      if (!iterator || model.statements[member.statement].reduces[*iterator])
        group.isOuter[loop] = false;
    }
  auto isEqual = [&](const DependenceModel &dependence, const Member &source,
                     const Member &target, unsigned loop) {
    std::optional<unsigned> p = source.getIterator(loop);
    std::optional<unsigned> q = target.getIterator(loop);
    return p && q && llvm::is_contained(dependence.equal, std::pair(*p, *q));
  };
  for (const DependenceModel &dependence : model.dependences)
    if (auto ends = findEnds(dependence, group, group))
      for (unsigned loop = 0, e = group.extents.size(); loop != e; ++loop)
        if (!isEqual(dependence, *ends->first, *ends->second, loop))
          group.isOuter[loop] = false;

  // A member must iterate along all inner loops, or along none. A reduction
  // must combine over all of them.
  auto hasInner = [&](const Member &member) {
    return llvm::any_of(member.loops, [&](std::optional<unsigned> loop) {
      return loop && !group.isOuter[*loop];
    });
  };
  auto isReduction = [&](const Member &member) {
    return model.statements[member.statement].isReduction();
  };
  for (const Member &member : group.members) {
    if (!hasInner(member))
      continue;
    for (unsigned loop = 0, e = group.extents.size(); loop != e; ++loop) {
      if (group.isOuter[loop])
        continue;
      std::optional<unsigned> iterator = member.getIterator(loop);
      if (!iterator || (isReduction(member) &&
                        !model.statements[member.statement].reduces[*iterator]))
        return false;
    }
  }
  for (const DependenceModel &dependence : model.dependences) {
    auto ends = findEnds(dependence, group, group);
    if (!ends || !hasInner(*ends->first) || isReduction(*ends->first))
      continue;
    // Otherwise, one thread would read an element that another thread computes.
    for (unsigned loop = 0, e = group.extents.size(); loop != e; ++loop)
      if (!group.isOuter[loop] &&
          !isEqual(dependence, *ends->first, *ends->second, loop))
        return false;
  }
  for (Member &member : group.members)
    member.phase = hasInner(member);
  assignPhases(group);
  return true;
}

void GroupBuilder::assignPhases(LaunchGroup &group) {
  // Members are in the order of the program, so sources come before targets.
  for (Member &target : group.members)
    for (const DependenceModel &dependence : model.dependences) {
      if (dependence.target != target.statement ||
          dependence.source == dependence.target)
        continue;
      auto source = llvm::find_if(group.members, [&](const Member &member) {
        return member.statement == dependence.source;
      });
      if (source == group.members.end())
        continue;
      bool isInner = target.phase % 2 == 1, fromInner = source->phase % 2 == 1;
      // The result of a reduction is complete only after its phase.
      bool waits = isInner && fromInner &&
                   model.statements[source->statement].isReduction();
      unsigned earliest = source->phase + (waits ? 2 : isInner != fromInner);
      target.phase = std::max(target.phase, earliest);
    }
}

double GroupBuilder::estimateTime(const LaunchGroup &group) {
  llvm::SmallSet<unsigned, 8> inside;
  for (const Member &member : group.members)
    inside.insert(member.statement);
  // A local array costs nothing if only this group accesses it.
  llvm::MapVector<std::pair<Value, unsigned>, int64_t> moved;
  for (const Member &member : group.members)
    for (const AccessModel &access :
         model.statements[member.statement].accesses)
      if (isa<BlockArgument>(access.array) ||
          llvm::any_of(users[access.array],
                       [&](unsigned user) { return !inside.contains(user); }))
        moved[{access.array, access.isWrite}] = access.arrayBytes;
  double bytes = 0;
  for (auto &entry : moved)
    bytes += entry.second;
  int64_t points = group.getOuterSize();
  if (group.isMappable)
    points *= std::min(group.getInnerSize(), kPointsPerBlock);
  double blocks = std::max(1.0, double(points) / kPointsPerBlock);
  double idle = std::max(1.0, double(target.processors) /
                                  (target.maxBandwidthShare * blocks));
  return target.launchTime + bytes / target.memoryRate * idle;
}

bool GroupBuilder::isLate(const LaunchGroup &group) {
  return llvm::any_of(group.members, [&](const Member &member) {
    return model.statements[member.statement].isLate;
  });
}

bool GroupBuilder::delaysOthers(const LaunchGroup &a, const LaunchGroup &b) {
  if (isLate(a) == isLate(b))
    return false;
  const LaunchGroup &early = isLate(a) ? b : a, &late = isLate(a) ? a : b;
  // Returns the statements of `group`, and those that depend on them.
  auto findUsers = [&](const LaunchGroup &group) {
    std::set<unsigned> found;
    for (const Member &member : group.members)
      found.insert(member.statement);
    // Statements are in order, so the sources of a dependence are found before
    // its target.
    for (unsigned target = 0, e = model.statements.size(); target != e;
         ++target)
      for (const DependenceModel &dependence : model.dependences)
        if (dependence.target == target && found.count(dependence.source))
          found.insert(target);
    return found;
  };
  std::set<unsigned> afterLate = findUsers(late);
  return llvm::any_of(findUsers(early), [&](unsigned statement) {
    return model.statements[statement].isLate && !afterLate.count(statement);
  });
}

bool GroupBuilder::hasPathAround(unsigned from, unsigned to) {
  SmallVector<unsigned> owner(model.statements.size());
  for (auto [number, group] : llvm::enumerate(groups))
    for (const Member &member : group.members)
      owner[member.statement] = number;
  llvm::SmallSet<unsigned, 16> reached;
  SmallVector<unsigned> work;
  auto follow = [&](unsigned group, bool direct) {
    for (const DependenceModel &dependence : model.dependences) {
      unsigned next = owner[dependence.target];
      if (owner[dependence.source] != group || next == group ||
          (!direct && next == to))
        continue;
      if (next != from && reached.insert(next).second)
        work.push_back(next);
    }
  };
  follow(from, /*direct=*/false);
  while (!work.empty()) {
    unsigned group = work.pop_back_val();
    if (group == to)
      return true;
    follow(group, /*direct=*/true);
  }
  return false;
}

std::vector<LaunchGroup> GroupBuilder::sort() {
  std::vector<LaunchGroup> sorted;
  std::set<unsigned> done;
  while (true) {
    auto isReady = [&](const LaunchGroup &group) {
      return !group.members.empty() &&
             llvm::all_of(model.dependences, [&](const DependenceModel &d) {
               auto isMember = [&](unsigned statement) {
                 return llvm::any_of(group.members, [&](const Member &member) {
                   return member.statement == statement;
                 });
               };
               return !isMember(d.target) || isMember(d.source) ||
                      done.count(d.source);
             });
    };
    LaunchGroup *next = nullptr;
    for (LaunchGroup &group : groups)
      if (isReady(group) && (!next || group.members.front().statement <
                                          next->members.front().statement))
        next = &group;
    if (!next) {
      assert(done.size() == model.statements.size() && "groups form a cycle");
      return sorted;
    }
    for (const Member &member : next->members)
      done.insert(member.statement);
    sorted.push_back(std::exchange(*next, {}));
  }
}

std::vector<LaunchGroup> GroupBuilder::form() {
  for (unsigned number = 0, e = model.statements.size(); number != e; ++number)
    groups.push_back(makeSingle(number));

  struct Merger {
    std::optional<LaunchGroup> group;
    double saved = 0;
  };
  std::map<std::pair<unsigned, unsigned>, Merger> mergers;
  auto consider = [&](unsigned a, unsigned b) {
    Merger merger;
    merger.group = merge(groups[a], groups[b]);
    if (merger.group)
      merger.saved = estimateTime(groups[a]) + estimateTime(groups[b]) -
                     estimateTime(*merger.group);
    // The group that waits for nothing could share a launch with kernels before
    // this one. So the merger saves no launch, and adds one to wait for.
    if (merger.group && delaysOthers(groups[a], groups[b]))
      merger.saved -= 2 * target.launchTime;
    mergers[{a, b}] = std::move(merger);
  };
  for (unsigned b = 0, e = groups.size(); b != e; ++b)
    for (unsigned a = 0; a != b; ++a)
      consider(a, b);
  while (true) {
    auto best = mergers.end();
    for (auto it = mergers.begin(); it != mergers.end(); ++it)
      if (it->second.group && it->second.saved >= 0 &&
          (best == mergers.end() || it->second.saved > best->second.saved) &&
          !hasPathAround(it->first.first, it->first.second) &&
          !hasPathAround(it->first.second, it->first.first))
        best = it;
    if (best == mergers.end())
      return sort();
    auto [a, b] = best->first;
    groups[a] = std::move(*best->second.group);
    groups[b] = {};
    for (unsigned other = 0, e = groups.size(); other != e; ++other) {
      mergers.erase({std::min(b, other), std::max(b, other)});
      if (other != a && !groups[other].members.empty())
        consider(std::min(a, other), std::max(a, other));
    }
  }
}

std::optional<LaunchGroup>
GroupBuilder::formOne(ArrayRef<unsigned> statements) {
  LaunchGroup whole = makeSingle(statements.front());
  SmallVector<unsigned> rest(statements.drop_front());
  // Statements that share no array merge once the others join them.
  while (!rest.empty()) {
    auto merged = llvm::find_if(rest, [&](unsigned statement) {
      auto group = merge(whole, makeSingle(statement));
      if (group)
        whole = std::move(*group);
      return group.has_value();
    });
    if (merged == rest.end())
      return std::nullopt;
    rest.erase(merged);
  }
  if (!whole.isMappable)
    return std::nullopt;
  return whole;
}

std::optional<LaunchGroup> scop::formLaunchGroup(const KernelModel &model,
                                                 ArrayRef<unsigned> statements,
                                                 const TargetSpec &target) {
  return GroupBuilder(model, target).formOne(statements);
}

std::vector<LaunchGroup> scop::formLaunchGroups(const KernelModel &model,
                                                const TargetSpec &target) {
  return cutGroups(model, GroupBuilder(model, target).form(), target);
}
