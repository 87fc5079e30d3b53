//===- FuzzedTree.h - Policies that build any constraint tree ---*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_OUTSIDERS_FUZZEDTREE_H
#define GROUT_UNITTESTS_OUTSIDERS_FUZZEDTREE_H

#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTreePolicy.h"

namespace grout::test {

/// A policy called `any-tree`. Its trees follow from `seed`: they may be
/// absent, wrong, contradictory, illegal, or just what the kernel needs.
std::unique_ptr<scop::ConstraintTreePolicy> createFuzzedTree(unsigned seed);

} // namespace grout::test

#endif // GROUT_UNITTESTS_OUTSIDERS_FUZZEDTREE_H
