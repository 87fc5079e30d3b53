//===- ScheduleEnums.td - Enums of schedules ---------------*- tablegen -*-===//
//
// Part of Grout. The enums that the scheduling library and the attributes of
// scop have in common.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SCHEDULING_SCHEDULEENUMS_TD
#define GROUT_SCHEDULING_SCHEDULEENUMS_TD

include "mlir/IR/EnumAttr.td"

class Schedule_Enum<string name, string summary, list<I32EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::grout";
}

// A linear dimension is a loop. A sequence orders statements: each of its rows
// is a constant.
def Schedule_DimKind : Schedule_Enum<"DimKind",
    "what a dimension of a schedule is", [
    I32EnumCase<"Linear", 0, "linear">,
    I32EnumCase<"Sequence", 1, "sequence">]>;

def Schedule_Coincidence : Schedule_Enum<"Coincidence",
    "which dependences a dimension must not carry", [
    I32EnumCase<"None", 0, "none">, I32EnumCase<"All", 1, "all">,
    I32EnumCase<"Listed", 2, "listed">]>;

// The blocks of a launch, neighbouring threads of a block, or the other threads
// of a block.
def Schedule_Mapping : Schedule_Enum<"Mapping",
    "what runs the iterations of a loop", [
    I32EnumCase<"Block", 0, "block">, I32EnumCase<"ThreadX", 1, "thread_x">,
    I32EnumCase<"ThreadY", 2, "thread_y">]>;

#endif // GROUT_SCHEDULING_SCHEDULEENUMS_TD
