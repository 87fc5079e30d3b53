//===- ToleranceTest.cpp - How exact a plan can be ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Tolerance.h"
#include "TestArtifacts.h"

#include "gtest/gtest.h"

using namespace grout;
using namespace grout::test;
using artifact::BufferKind;
using artifact::ElementType;

namespace {

/// Gives all buffers of a kind an element type. The code would not fit, but
/// does not run.
void setType(artifact::ArtifactT &artifact, BufferKind kind, ElementType type) {
  for (auto &buffer : artifact.plan->buffers)
    if (buffer->kind == kind)
      buffer->tensor->element_type = type;
}

run::Tolerance choose(const artifact::ArtifactT &artifact,
                      ElementType output = ElementType::F32) {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(artifact::Artifact::Pack(builder, &artifact));
  const auto *root = artifact::GetArtifact(builder.GetBufferPointer());
  return run::chooseTolerance(*root, *root->plan(), output);
}

TEST(Tolerance, IsThatOfTheCoarsestTensorWritten) {
  artifact::ArtifactT chain = makeChain(fakeElf(/*machine=*/62));
  EXPECT_EQ(choose(chain).value, 1e-5);
  EXPECT_EQ(choose(chain).source, "f32");
  // Both plans read the same inputs.
  setType(chain, BufferKind::Input, ElementType::BF16);
  EXPECT_EQ(choose(chain).value, 1e-5);
  setType(chain, BufferKind::Output, ElementType::F16);
  EXPECT_EQ(choose(chain).value, 1e-3);
  EXPECT_EQ(choose(chain).source, "f16");
  setType(chain, BufferKind::Intermediate, ElementType::BF16);
  EXPECT_EQ(choose(chain).value, 1e-2);
  EXPECT_EQ(choose(chain).source, "bf16");
  setType(chain, BufferKind::Intermediate, ElementType::F64);
  setType(chain, BufferKind::Output, ElementType::F64);
  EXPECT_EQ(choose(chain).value, 1e-5);
  EXPECT_EQ(choose(chain).source, "f64");
}

TEST(Tolerance, IsThatOfWhatIsRoundedWithinKernels) {
  artifact::ArtifactT chain = makeChain(fakeElf(/*machine=*/62));
  chain.reference = std::make_unique<artifact::PlanT>(*chain.plan);
  EXPECT_EQ(choose(chain).value, 1e-5);
  chain.reference->rounded_to = ElementType::BF16;
  EXPECT_EQ(choose(chain).value, 1e-2);
  EXPECT_EQ(choose(chain).source, "bf16");
  EXPECT_EQ(choose(chain, ElementType::I32).value, 0);
  // A tensor may be coarser.
  chain.reference->rounded_to = ElementType::F16;
  EXPECT_EQ(choose(chain).value, 1e-3);
  setType(chain, BufferKind::Intermediate, ElementType::BF16);
  EXPECT_EQ(choose(chain).value, 1e-2);
}

TEST(Tolerance, IntegersAreExact) {
  for (artifact::ArtifactT chain :
       {makeChain(fakeElf(/*machine=*/62)), makeGpuChain()}) {
    setType(chain, BufferKind::Output, ElementType::BF16);
    for (ElementType type : {ElementType::I1, ElementType::I8, ElementType::I16,
                             ElementType::I32, ElementType::I64}) {
      EXPECT_EQ(choose(chain, type).value, 0);
      EXPECT_EQ(choose(chain, type).source, runtime::elementName(type));
    }
    // Nor does an intermediate of integers make the others less exact.
    setType(chain, BufferKind::Intermediate, ElementType::I8);
    EXPECT_EQ(choose(chain).value, 1e-2);
  }
}

TEST(Tolerance, AllowsForApproximationsOfGpus) {
  artifact::ArtifactT chain = makeGpuChain();
  setType(chain, BufferKind::Intermediate, ElementType::F32);
  setType(chain, BufferKind::Output, ElementType::F32);
  EXPECT_EQ(choose(chain).value, 1e-3);
  EXPECT_EQ(choose(chain).source, "f32 on a GPU");
  setType(chain, BufferKind::Intermediate, ElementType::BF16);
  EXPECT_EQ(choose(chain).value, 1e-2);
  EXPECT_EQ(choose(chain).source, "bf16");
}

} // namespace
