//===- BruteForce.cpp - Dependences by enumeration ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "BruteForce.h"

#include "../../lib/Analysis/ExpandedProgram.h"
#include "TestPrograms.h"
#include "gtest/gtest.h"
#include <isl/map.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

namespace grout::test {

static Tile toTile(llvm::ArrayRef<int64_t> tile) {
  return Tile(tile.begin(), tile.end());
}

Dependence enumerateDependence(TileProgram program, const ProgramAccess &read,
                               unsigned producer) {
  ProgramAccess alone = read;
  alone.isAfterSteps = false;
  program.reads = {alone};
  program.edges.clear();
  std::optional<InterpretResult> problem;
  detail::ExpandedProgram expanded =
      unwrapOrDie(detail::expandProgram(program, 10'000'000, problem));
  EXPECT_FALSE(problem) << problem->message;
  Dependence dependence;
  for (const detail::ExpandedTask &task : expanded.tasks)
    if (task.kernel == read.kernel)
      for (auto [step, event] : llvm::enumerate(task.stepEvents))
        for (uint32_t needed : task.events[event].needs)
          if (expanded.tasks[needed].kernel == producer)
            dependence[{toTile(task.tile), step}].insert(
                toTile(expanded.tasks[needed].tile));
  return dependence;
}

Dependence enumerateRelation(const Relation &relation) {
  struct Visit {
    Dependence dependence;
    int numInputs;
  };
  auto visit = [](isl_point *point, void *user) {
    Visit &visited = *static_cast<Visit *>(user);
    isl_space *space = isl_point_get_space(point);
    Tile values;
    for (int i = 0, e = isl_space_dim(space, isl_dim_set); i != e; ++i) {
      isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, i);
      values.push_back(isl_val_get_num_si(value));
      isl_val_free(value);
    }
    isl_space_free(space);
    isl_point_free(point);
    auto end = values.begin() + visited.numInputs;
    visited.dependence[{Tile(values.begin(), end - 1), *(end - 1)}].insert(
        Tile(end, values.end()));
    return isl_stat_ok;
  };
  Visit visited = {{}, isl_map_dim(relation.get(), isl_dim_in)};
  isl_set *set = isl_map_wrap(isl_map_copy(relation.get()));
  EXPECT_EQ(isl_set_foreach_point(set, visit, &visited), isl_stat_ok);
  isl_set_free(set);
  return visited.dependence;
}

std::string formatRelation(const Dependence &dependence,
                           const TileKernel &producer,
                           const TileKernel &consumer) {
  auto join = [](const Tile &tile) {
    std::string text;
    for (int64_t value : tile)
      text += (text.empty() ? "" : ", ") + std::to_string(value);
    return text;
  };
  std::string text = "{ ";
  for (const auto &[reader, producers] : dependence)
    for (const Tile &tile : producers)
      text += (text.size() > 2 ? "; " : "") + consumer.name + "[" +
              join(reader.first) + ", " + std::to_string(reader.second) +
              "] -> " + producer.name + "[" + join(tile) + "]";
  return text + " }";
}

} // namespace grout::test
