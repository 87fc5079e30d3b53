"""LLVM IR of matrix products for Hopper, for functions of hopper.c."""

import re

from emulated.plan import Unsupported

# As in ranks.h.
_SHARED_ADDRESS = 1 << 28

_INTRINSICS = {
    r"shfl\.sync\.idx\.i32": "emulated_value_of_lane",
    r"shfl\.sync\.idx\.f32": "emulated_float_of_lane",
    r"bar\.warp\.sync": "emulated_warp_barrier",
    r"elect\.sync": "emulated_elect",
    r"mbarrier\.init\.shared": "emulated_mbarrier_init",
    r"mbarrier\.arrive\.shared": "emulated_mbarrier_arrive",
    r"mbarrier\.arrive\.expect\.tx\.scope\.cta\.space\.cta": (
        "emulated_mbarrier_expect"
    ),
    r"mbarrier\.try\.wait\.parity\.scope\.cta\.space\.cta": (
        "emulated_mbarrier_try_wait"
    ),
    r"cp\.async\.bulk\.tensor\.g2s\.tile\.2d": "emulated_load_tensor",
}
# These order accesses, or give hints.
_NOTHING = re.compile(
    r"call void (@llvm\.nvvm\.(fence|setmaxnreg|wgmma)\.|asm sideeffect "
    r'"prefetch\.tensormap )|declare void @llvm\.nvvm\.(fence|setmaxnreg|wgmma)'
)
_STORE = re.compile(
    r"@llvm\.nvvm\.stmatrix\.sync\.aligned\.m8n8\.(x\d)(?:\.(trans))?\.b16\.p3"
)
_ELECT = """
declare i1 @emulated_is_elected(i32)
define { i32, i1 } @emulated_elect(i32 %members) {
  %is = call i1 @emulated_is_elected(i32 %members)
  %pair = insertvalue { i32, i1 } poison, i1 %is, 1
  ret { i32, i1 } %pair
}"""
_SAME = re.compile(r'asm sideeffect "", "=f,[^"]*"(?=\()')
_MULTIPLY = re.compile(
    r'asm sideeffect "(\{\\0A\.reg \.pred %keeps;[^"]*)", "[^"]*"(?=\()'
)


def replace(text):
    """`text` for this machine, as far as products are concerned."""
    definitions = {}
    lines = [
        _line(line, definitions)
        for line in text.splitlines()
        if not _NOTHING.search(line)
    ]
    return "\n".join([*lines, *definitions.values()])


def _line(line, definitions):
    if line.startswith("@grout_shared = external"):
        return ""
    line = line.replace(
        "ptrtoint (ptr addrspace(3) @grout_shared to i32)",
        f"{_SHARED_ADDRESS}",
    )
    line = re.sub(r"i32 add \(i32 (\d+), i32 (\d+)\)", _added, line)
    line = re.sub(
        r'byval\(\[128 x i8\]\) align 64 "nvvm\.grid_constant" ', "", line
    )
    for pattern, name in _INTRINSICS.items():
        line = re.sub(rf"@llvm\.nvvm\.{pattern}(?=\()", f"@{name}", line)
    line = _STORE.sub(
        lambda found: (
            "@emulated_stmatrix_" + "_".join(filter(None, found.groups()))
        ),
        line,
    )
    if line.startswith("declare { i32, i1 } @emulated_elect"):
        return _ELECT
    count = len(re.findall(r"\bfloat\b", line.split(" asm ")[0]))

    def same(_):
        name = f"emulated_same_{count}"
        definitions[name] = _accumulators(name, count, "", "")
        return f"@{name}"

    def multiply(found):
        return f"@{_multiply(found[1], count, definitions)}"

    return _MULTIPLY.sub(multiply, _SAME.sub(same, line))


def _added(found):
    return f"i32 {int(found[1]) + int(found[2])}"


def _multiply(code, count, definitions):
    """The name of a function for inline assembly."""
    products = re.findall(
        r"wgmma\.mma_async\.sync\.aligned\.m64n(\d+)k16\.f32\.(bf16|f16)\."
        r"\2 [^;]*%a, %b, %keeps, 1, 1, 0, 0;",
        code,
    )
    if len(products) != code.count("wgmma") or len(set(products)) != 1:
        raise Unsupported(code)
    n, type_ = products[0]
    name = f"emulated_multiply_{n}_{type_}_{len(products)}"
    definitions["declaration"] = (
        "declare void @emulated_multiply(ptr, i64, i64, i32, i32, i32, i1)"
    )
    definitions[name] = _accumulators(
        name,
        count,
        ", i64 %a, i64 %b, i32 %keeps",
        f"  call void @emulated_multiply(ptr %all, i64 %a, i64 %b, "
        f"i32 %keeps, i32 {n}, i32 {len(products)}, "
        f"i1 {'true' if type_ == 'bf16' else 'false'})",
    )
    return name


def _accumulators(name, count, parameters, call):
    """A function that returns its parameters, `count` floats, after `call` had
    them in the array %all."""
    numbers = range(count)
    of = f"{{ {', '.join('float' for _ in numbers)} }}"
    accumulators = ", ".join(f"float %x{i}" for i in numbers)
    places = [
        f"  %p{i} = getelementptr float, ptr %all, i32 {i}" for i in numbers
    ]
    stores = [f"  store float %x{i}, ptr %p{i}" for i in numbers]
    return "\n".join(
        [
            f"define {of} @{name}({accumulators}{parameters}) {{",
            f"  %all = alloca {of}",
            *places,
            *stores,
            call,
            f"  %y = load {of}, ptr %all",
            f"  ret {of} %y",
            "}",
        ]
    )
