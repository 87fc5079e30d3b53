//===- PrecisionTest.cpp - How exact a plan's results can be --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Precision.h"
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

ElementType find(const artifact::ArtifactT &artifact) {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(artifact::Artifact::Pack(builder, &artifact));
  const auto *root = artifact::GetArtifact(builder.GetBufferPointer());
  return runtime::findPrecision(*root, *root->plan());
}

TEST(Precision, IsThatOfTheCoarsestTensorWritten) {
  artifact::ArtifactT chain = makeChain(fakeElf(/*machine=*/62));
  EXPECT_EQ(find(chain), ElementType::F32);
  // Both plans read the same inputs.
  setType(chain, BufferKind::Input, ElementType::BF16);
  EXPECT_EQ(find(chain), ElementType::F32);
  setType(chain, BufferKind::Output, ElementType::F16);
  EXPECT_EQ(find(chain), ElementType::F16);
  setType(chain, BufferKind::Output, ElementType::F64);
  EXPECT_EQ(find(chain), ElementType::F64);
}

TEST(Precision, IsThatOfIntermediatesWithoutAReference) {
  artifact::ArtifactT chain = makeChain(fakeElf(/*machine=*/62));
  setType(chain, BufferKind::Intermediate, ElementType::BF16);
  EXPECT_EQ(find(chain), ElementType::F32);
  chain.reference = nullptr;
  EXPECT_EQ(find(chain), ElementType::BF16);
}

TEST(Precision, IsThatOfWhatIsRoundedWithinKernels) {
  artifact::ArtifactT chain = makeChain(fakeElf(/*machine=*/62));
  chain.reference = std::make_unique<artifact::PlanT>(*chain.plan);
  EXPECT_EQ(find(chain), ElementType::F32);
  chain.reference->rounded_to = ElementType::BF16;
  EXPECT_EQ(find(chain), ElementType::BF16);
  // Pieces of numbers may be coarser; results are what they are.
  chain.reference->rounded_to = ElementType::F16;
  setType(chain, BufferKind::Intermediate, ElementType::BF16);
  EXPECT_EQ(find(chain), ElementType::F16);
  setType(chain, BufferKind::Output, ElementType::BF16);
  EXPECT_EQ(find(chain), ElementType::BF16);
}

TEST(Precision, IsNotThatOfIntegers) {
  artifact::ArtifactT chain = makeChain(fakeElf(/*machine=*/62));
  setType(chain, BufferKind::Intermediate, ElementType::I8);
  EXPECT_EQ(find(chain), ElementType::F32);
  setType(chain, BufferKind::Output, ElementType::I1);
  EXPECT_EQ(find(chain), ElementType::F64);
  // Artifacts that claim it are taken for what they can mean.
  chain.reference->rounded_to = ElementType::I8;
  EXPECT_EQ(find(chain), ElementType::F64);
}

} // namespace
