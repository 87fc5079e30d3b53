"""LLVM IR of kernels as that of functions for this machine."""

import dataclasses
import re

from emulated import products
from emulated.plan import Unsupported

# What stands for instructions, which the files in C have.
_INTRINSICS = {
    "llvm.nvvm.read.ptx.sreg.tid.x": "emulated_thread",
    "llvm.nvvm.read.ptx.sreg.ctaid.x": "emulated_block",
    "llvm.nvvm.read.ptx.sreg.nctaid.x": "emulated_blocks",
    "llvm.nvvm.read.ptx.sreg.ctaid.y": "emulated_block_y",
    "llvm.nvvm.read.ptx.sreg.ctaid.z": "emulated_block_z",
    "llvm.nvvm.read.ptx.sreg.nctaid.y": "emulated_blocks_y",
    "llvm.nvvm.read.ptx.sreg.smid": "emulated_processor",
    "llvm.nvvm.read.ptx.sreg.globaltimer": "emulated_time",
    "llvm.nvvm.shfl.sync.bfly.i32": "emulated_butterfly",
    "llvm.nvvm.barrier.cta.sync.aligned.all": "emulated_barrier",
    "llvm.nvvm.barrier.cta.sync.aligned.count": "emulated_barrier_of",
    # Of libdevice's functions of f64.
    "llvm.nvvm.d2i.hi": "emulated_high_of",
    "llvm.nvvm.d2i.lo": "emulated_low_of",
    "llvm.nvvm.d2i.rn": "emulated_nearest_of",
    "llvm.nvvm.lohi.i2d": "emulated_double_of",
    "llvm.nvvm.add.rn.d": "emulated_add",
    "llvm.nvvm.mul.rn.d": "emulated_mul",
    "llvm.nvvm.fma.rn.d": "emulated_fma",
    "llvm.nvvm.rcp.approx.ftz.d": "emulated_reciprocal",
}
_ASSEMBLY = {
    "ex2.approx.ftz.f32 $0, $1;": "emulated_ex2",
    "ex2.approx.f32 $0, $1;": "emulated_ex2",
    "lg2.approx.f32 $0, $1;": "emulated_lg2",
    "rsqrt.approx.f32 $0, $1;": "emulated_rsqrt",
    "sqrt.approx.f32 $0, $1;": "emulated_sqrt",
    "tanh.approx.f32 $0, $1;": "emulated_tanh",
    "div.full.f32 $0, $1, $2;": "emulated_div",
    "div.approx.ftz.f32 $0, $1, $2;": "emulated_div",
    "fma.rn.sat.f32 $0, $1, $2, $3;": "emulated_share",
    "griddepcontrol.wait;": "emulated_nothing",
    "griddepcontrol.launch_dependents;": "emulated_nothing",
    "ld.relaxed.sys.global.b32 $0, [$1];": "emulated_load",
    "st.relaxed.sys.global.b32 [$0], $1;": "emulated_store",
    "ld.relaxed.sys.global.v4.b32 {$0, $1, $2, $3}, [$4];": "emulated_load_v4",
    "st.relaxed.sys.global.v4.b32 [$0], {$1, $2, $3, $4};": (
        "emulated_store_vector"
    ),
}
_DECLARATIONS = {
    "emulated_div": "float @emulated_div(float, float)",
    "emulated_share": "float @emulated_share(float, float, float)",
    "emulated_nothing": "void @emulated_nothing()",
    "emulated_load": "i32 @emulated_load(ptr)",
    "emulated_store": "void @emulated_store(ptr, i32)",
    "emulated_store_vector": (
        "void @emulated_store_vector(ptr, i32, i32, i32, i32)"
    ),
}
# A function of C cannot return the words as LLVM IR takes them.
_DEFINITIONS = {
    "emulated_load_v4": """
@emulated_vector = external global { i32, i32, i32, i32 }
declare void @emulated_load_vector(ptr)
define { i32, i32, i32, i32 } @emulated_load_v4(ptr %address) {
  call void @emulated_load_vector(ptr %address)
  %words = load { i32, i32, i32, i32 }, ptr @emulated_vector
  ret { i32, i32, i32, i32 } %words
}"""
}
# Variables that say where the records of a trace are; the name of the kernel
# follows.
TRACE = "grout_trace_"
# The array that all shared memory is in.
SHARED = "emulated_shared"
_ALIGNMENT = 16
# With effects on other threads, or of other processors.
_REFUSED = re.compile(
    r"@llvm\.nvvm|\basm\b|addrspace|\b(atomicrmw|cmpxchg|"
    r"fence|atomic|volatile)\b"
)
# What blocks of a launch do for each other, which run on one thread here.
_OF_BLOCKS = re.compile(
    r"  (fence|%\d+ = atomicrmw (add|umax|xchg) .*|%\d+ = load atomic i32, .*) "
    r'syncscope\("device"\) (acq_rel|monotonic)'
)
_STREAMED = re.compile(
    r"(%\d+ = )call (\S.*?) asm sideeffect "
    r'"ld\.global\.L1::no_allocate(?:\.v\d)?\.b32 [^"]*", '
    r'"[=r,]*l"\((.*)\)'
)


@dataclasses.dataclass(frozen=True)
class Module:
    """Each kernel also as a function NAME.launch of an array of pointers, whose
    places also hold numbers."""

    text: str
    shared: int  # bytes of SHARED


def translate(text):
    shared, called, lines, entries = 0, set(), [], []
    for original in products.replace(text).splitlines():
        line = original.split(" ;")[0]
        if line.startswith(("target ", "source_filename", ";")):
            continue
        memory = re.match(
            r"@(\w+) = internal addrspace\(3\) global "
            r"\[([1-9]\d*) x i8\] undef, align (\d+)",
            line,
        )
        if memory:
            alignment = int(memory[3])
            offset = -(-shared // alignment) * alignment
            shared = offset + int(memory[2])
            line = (
                f"@{memory[1]} = alias [{memory[2]} x i8], "
                f"ptr getelementptr (i8, ptr @{SHARED}, i64 {offset})"
            )
        elif line.startswith("@") and not re.match(
            rf"@{TRACE}\w+ = addrspace\(1\) global", line
        ):
            raise Unsupported(original.strip())
        entry = re.match(r"define ptx_kernel void @(\w+)\((.*)\)", line)
        if entry:
            entries.append(_entry(entry[1], entry[2]))
            line = line.replace("ptx_kernel ", "")
        line = _instructions(line, called)
        if _REFUSED.search(line) and not _OF_BLOCKS.match(line):
            raise Unsupported(original.strip())
        lines.append(line)
    declarations = [
        _DEFINITIONS.get(name)
        or "declare " + _DECLARATIONS.get(name, f"float @{name}(float)")
        for name in sorted(called)
    ]
    array = (
        f"@{SHARED} = global [{shared} x i8] zeroinitializer, "
        f"align {_ALIGNMENT}"
    )
    return Module(
        "\n".join([*lines, array, *declarations, *entries, ""]), shared
    )


def _instructions(line, called):
    streamed = _STREAMED.search(line)
    if streamed:
        result, of, address = streamed.groups()
        line = f"  {result}load {of}, {address}, align 4"

    def assembly(found):
        name = _ASSEMBLY.get(found[1])
        if not name:
            return found[0]
        called.add(name)
        return f"@{name}"

    line = re.sub(r'asm (?:sideeffect )?"([^"]*)", "[^"]*"', assembly, line)
    for name, replacement in _INTRINSICS.items():
        line = line.replace(f"@{name}(", f"@{replacement}(")
    # Global and shared memory are one, and casts change nothing.
    line = re.sub(
        r"addrspacecast \(ptr addrspace\(3\) (@\w+) to ptr\)", r"\1", line
    )
    line = re.sub(r" addrspace\([137]\)", "", line)
    line = re.sub(
        r"addrspacecast ptr (\S+) to ptr$",
        r"getelementptr i8, ptr \1, i64 0",
        line,
    )
    if line.startswith("declare"):
        line = re.sub(r"range\([^)]*\) | immarg( range\([^)]*\))?", "", line)
        # What memory an instruction uses is another matter for a function.
        line = re.sub(r"(@emulated_.*) #\d+$", r"\1", line)
    return line


def _entry(kernel, parameters):
    types = []
    for parameter in parameters.split(", ") if parameters else []:
        found = re.fullmatch(r"(ptr|i32)( \w+)* %\w+", parameter)
        if not found:
            raise Unsupported(f"@{kernel}({parameters})")
        types.append(found[1])
    loads = []
    for i, type_ in enumerate(types):
        loads += [
            f"  %a{i} = getelementptr ptr, ptr %arguments, i64 {i}",
            f"  %p{i} = load {type_}, ptr %a{i}",
        ]
    passed = ", ".join(f"{type_} %p{i}" for i, type_ in enumerate(types))
    return "\n".join(
        [
            f"define void @{kernel}.launch(ptr %arguments) {{",
            *loads,
            f"  call void @{kernel}({passed})",
            "  ret void",
            "}",
        ]
    )
