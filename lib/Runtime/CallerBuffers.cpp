//===- CallerBuffers.cpp - Checks the buffers of a run --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CallerBuffers.h"

#include <algorithm>

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;

std::string CallerBuffers::describe(const Range &range) {
  if (!range.buffer)
    return "the workspace";
  return (range.isOutput ? "output '" : "input '") +
         range.buffer->tensor()->name()->str() + "'";
}

CallerBuffers::CallerBuffers(const Plan &plan, uint32_t alignment,
                             bool hasWorkspace)
    : plan(plan), alignment(alignment) {
  for (uint32_t i = 0; i != plan.buffers()->size(); ++i) {
    const Buffer &buffer = *plan.buffers()->Get(i);
    bool isOutput = buffer.kind() == BufferKind::Output;
    if (isOutput || buffer.kind() == BufferKind::Input)
      ranges.push_back(
          {0, tensorBytes(*buffer.tensor()), isOutput, &buffer, i});
  }
  pairInPlace();
  findGuests();
  // If an output replaces an input, only the output's range is checked for
  // overlaps.
  for (const Range &range : ranges)
    if (std::none_of(ranges.begin(), ranges.end(), [&](const Range &other) {
          return other.inPlaceOf == &range;
        }))
      sorted.push_back(&range);
  if (!hasWorkspace)
    return;
  workspace = Range{0, plan.workspace(), /*isOutput=*/true, nullptr, 0};
  if (plan.workspace())
    sorted.push_back(&*workspace);
}

const CallerBuffers::Range &CallerBuffers::find(bool isOutput,
                                                uint32_t index) const {
  return *std::find_if(ranges.begin(), ranges.end(), [&](const Range &range) {
    return range.isOutput == isOutput && range.buffer->index() == index;
  });
}

void CallerBuffers::pairInPlace() {
  if (!plan.in_place())
    return;
  for (const InPlace *pair : *plan.in_place())
    for (Range &range : ranges)
      if (range.isOutput && range.buffer->index() == pair->output())
        range.inPlaceOf = &find(/*isOutput=*/false, pair->input());
}

void CallerBuffers::findGuests() {
  for (uint32_t i = 0; i != plan.buffers()->size(); ++i) {
    const Buffer &buffer = *plan.buffers()->Get(i);
    if (buffer.kind() == BufferKind::InOutput)
      guests.push_back({&buffer, i, &find(/*isOutput=*/true, buffer.index())});
  }
}

Status CallerBuffers::checkInPlace() {
  for (const Range &range : ranges)
    if (range.inPlaceOf && range.begin != range.inPlaceOf->begin)
      return Status::error(GROUT_ERROR_INVALID_ARGUMENT, describe(range),
                           " is in place of ", describe(*range.inPlaceOf),
                           "; pass one pointer for both");
  return Status::ok();
}

Status CallerBuffers::checkOverlap() {
  std::sort(sorted.begin(), sorted.end(),
            [](const Range *a, const Range *b) { return a->begin < b->begin; });
  // Inputs may overlap each other, but nothing may overlap an output. So keep
  // two ranges that reach furthest: one among the outputs, one among the
  // inputs.
  const Range *furthestInput = nullptr;
  const Range *furthestOutput = nullptr;
  auto overlaps = [](const Range *earlier, const Range *later) {
    return earlier && later->begin - earlier->begin < earlier->bytes;
  };
  auto keepFurthest = [](const Range *&furthest, const Range *range) {
    if (!furthest ||
        range->begin + range->bytes > furthest->begin + furthest->bytes)
      furthest = range;
  };
  for (const Range *range : sorted) {
    const Range *other = nullptr;
    if (overlaps(furthestOutput, range))
      other = furthestOutput;
    else if (range->isOutput && overlaps(furthestInput, range))
      other = furthestInput;
    if (other)
      return Status::error(GROUT_ERROR_INVALID_ARGUMENT, describe(*range),
                           " overlaps ", describe(*other));
    keepFurthest(range->isOutput ? furthestOutput : furthestInput, range);
  }
  return Status::ok();
}

Status
CallerBuffers::bindWorkspace(const std::optional<CallerWorkspace> &given) {
  if (!workspace)
    return given ? Status::error(GROUT_ERROR_INVALID_ARGUMENT,
                                 "the session has a workspace of its own; call "
                                 "grout_session_run, or create it with "
                                 "caller_workspace")
                 : Status::ok();
  if (!given)
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT,
                         "the session has no workspace of its own; call "
                         "grout_session_run_in");
  if (given->bytes < plan.workspace())
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT, "the workspace has ",
                         given->bytes, " bytes, and the plan needs ",
                         plan.workspace());
  if (!plan.workspace())
    return Status::ok();
  workspace->begin = reinterpret_cast<uintptr_t>(given->data);
  if (!given->data)
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT,
                         "the workspace is a null pointer");
  if (workspace->begin % GROUT_BUFFER_ALIGNMENT != 0)
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT, "the workspace at ",
                         given->data, " is not aligned to ",
                         GROUT_BUFFER_ALIGNMENT, " bytes");
  if (UINTPTR_MAX - workspace->begin < workspace->bytes)
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT, "the workspace at ",
                         given->data,
                         " reaches beyond the end of the address space");
  return Status::ok();
}

Status CallerBuffers::bind(const void *const *inputs, void *const *outputs,
                           const std::optional<CallerWorkspace> &given,
                           BoundBuffers &bound) {
  GROUT_RETURN_IF_ERROR(bindWorkspace(given));
  for (Range &range : ranges) {
    bool isGiven = range.isOutput ? outputs != nullptr : inputs != nullptr;
    const void *pointer = !isGiven         ? nullptr
                          : range.isOutput ? outputs[range.buffer->index()]
                                           : inputs[range.buffer->index()];
    if (!pointer)
      return Status::error(GROUT_ERROR_INVALID_ARGUMENT, describe(range),
                           " is a null pointer");
    range.begin = reinterpret_cast<uintptr_t>(pointer);
    if (range.begin % alignment != 0)
      return Status::error(GROUT_ERROR_INVALID_ARGUMENT, describe(range),
                           " at ", pointer, " is not aligned to ", alignment,
                           " bytes");
    if (UINTPTR_MAX - range.begin < range.bytes)
      return Status::error(GROUT_ERROR_INVALID_ARGUMENT, describe(range),
                           " at ", pointer,
                           " reaches beyond the end of the address space");
    bound[range.position] = range.begin;
  }
  for (const Guest &guest : guests)
    bound[guest.position] = guest.host->begin + guest.buffer->offset();
  GROUT_RETURN_IF_ERROR(checkInPlace());
  return checkOverlap();
}
