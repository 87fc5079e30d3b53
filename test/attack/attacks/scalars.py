"""Every scalar op on every type, for every target: it compiles, and ptxas takes
it where there is one, or it is refused where it stands."""

import re
import shutil

from attack.attack import Attack
from attack.outcome import Finding, Verdict, classify, generalise

INPUT, ARTIFACT = "input.mlir", "out.grout"
_TARGETS = ("cpu", "h200", "a100")
_INTEGERS = ("i1", "i8", "i16", "i32", "i64", "index", "i4", "i24")
# Floats that tensors have first, as all have sizes of their own.
_FLOATS = (
    "f16",
    "bf16",
    "f32",
    "f64",
    "f8E4M3FN",
    "f8E5M2",
    "f8E8M0FNU",
    "f4E2M1FN",
    "tf32",
)
_TENSORS = frozenset(_INTEGERS[:5] + _FLOATS[:4])
_FLOAT_OPS = {
    1: """arith.negf math.absf math.acos math.acosh math.asin math.asinh
       math.atan math.atanh math.cbrt math.ceil math.cos math.cosh math.erf
       math.erfc math.exp math.exp2 math.expm1 math.floor math.log math.log10
       math.log1p math.log2 math.round math.roundeven math.rsqrt math.sin
       math.sinh math.sqrt math.tan math.tanh math.trunc""".split(),
    2: """arith.addf arith.subf arith.mulf arith.divf arith.remf arith.maximumf
       arith.minimumf arith.maxnumf arith.minnumf math.atan2 math.copysign
       math.powf""".split(),
    3: ["math.fma"],
}
_INTEGER_OPS = {
    1: ["math.absi", "math.ctlz", "math.cttz", "math.ctpop"],
    2: """arith.addi arith.subi arith.muli arith.divsi arith.divui
       arith.ceildivsi arith.ceildivui arith.floordivsi arith.remsi arith.remui
       arith.andi arith.ori arith.xori arith.shli arith.shrsi arith.shrui
       arith.maxsi arith.maxui arith.minsi arith.minui math.ipowi""".split(),
}
# What passes say of ops that should not have come so far.
_LATE = re.compile(r"as only the \w+ and \w+ dialects can|to LLVM IR")
# Where the text is not that of a plain op.
_CLASSES = ("math.isfinite", "math.isinf", "math.isnan", "math.isnormal")
_CASTS = (
    "arith.extf",
    "arith.truncf",
    "arith.extsi",
    "arith.extui",
    "arith.trunci",
    "arith.fptosi",
    "arith.fptoui",
    "arith.sitofp",
    "arith.uitofp",
    "arith.index_cast",
    "arith.index_castui",
    "arith.bitcast",
)
_MODULE = """#i = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<64x{source}>) -> tensor<64x{target}> {{
  %e = tensor.empty() : tensor<64x{target}>
  %r = linalg.generic {{
    indexing_maps = [#i, #i], iterator_types = ["parallel"]}}
    ins(%a : tensor<64x{source}>) outs(%e : tensor<64x{target}>) {{
  ^bb0(%in: {source}, %out: {target}):
{body}
    linalg.yield %last : {target}
  }} -> tensor<64x{target}>
  return %r : tensor<64x{target}>
}}
"""


def _draw_op(chance):
    """(type of the operands, type of the result, text from %x to %y)."""
    is_float = chance.random() < 0.6
    type_ = chance.choice(_FLOATS if is_float else _INTEGERS)
    kind = chance.randrange(4)
    if kind == 0:
        result = chance.choice(_FLOATS + _INTEGERS)
        cast = chance.choice(_CASTS)
        return type_, result, f"%y = {cast} %x : {type_} to {result}"
    if kind == 1 and is_float:
        return _draw_float_form(chance, type_)
    ops = _FLOAT_OPS if is_float else _INTEGER_OPS
    count = chance.choice(list(ops))
    operands = ", ".join(["%x"] * count)
    return (
        type_,
        type_,
        f"%y = {chance.choice(ops[count])} {operands} : {type_}",
    )


def _draw_float_form(chance, type_):
    match chance.randrange(5):
        case 0:
            op = chance.choice(_CLASSES)
            return type_, "i1", f"%y = {op} %x : {type_}"
        case 1:
            how = chance.choice(("oeq", "une", "ult", "ord", "uno"))
            return type_, "i1", f"%y = arith.cmpf {how}, %x, %x : {type_}"
        case 2:
            return type_, type_, f"%y = math.clampf %x to [%x, %x] : {type_}"
        case 3:
            return type_, type_, f"%y, %z = math.sincos %x : {type_}"
        case _:
            power = chance.choice(_INTEGERS)
            number = chance.choice(
                ("%n = arith.constant 3 : index", "%n = linalg.index 0 : index")
            )
            cast = (
                f"    %p = arith.index_cast %n : index to {power}\n"
                if power != "index"
                else ""
            )
            name = "%p" if cast else "%n"
            return (
                type_,
                type_,
                (
                    f"{number}\n{cast}    %y = math.fpowi %x, "
                    f"{name} : {type_}, {power}"
                ),
            )


def _convert(type_, value, name, wanted):
    """(text from `value` to `name`, of type `wanted`): conversions between a
    type that tensors have and one that they have not."""
    if type_ == wanted:
        return f"    {name} = arith.bitcast {value} : {type_} to {wanted}"
    if "index" in (type_, wanted):
        op = "index_cast"
    elif type_ in _FLOATS:
        op = "extf" if _bits(type_) < _bits(wanted) else "truncf"
    else:
        op = "extsi" if _bits(type_) < _bits(wanted) else "trunci"
    return f"    {name} = arith.{op} {value} : {type_} to {wanted}"


def _bits(type_):
    digits = type_.lstrip("bfit").split("E")[0].split("M")[0]
    return 19 if type_ == "tf32" else int(digits)


def _carrier(type_):
    """A type that tensors have, to bring values of `type_` in and out."""
    if type_ in _TENSORS:
        return type_
    return "f32" if type_ in _FLOATS else "i64"


def draw(chance):
    """A module with one op on scalars. MLIR may not take it."""
    operand, result, text = _draw_op(chance)
    # Tensors of such types are refused before anything else is looked at.
    inside = chance.random() < 0.8
    source = _carrier(operand) if inside else operand
    target = _carrier(result) if inside else result
    body = []
    if source != operand:
        body.append(_convert(source, "%in", "%x", operand))
    else:
        text = text.replace("%x", "%in")
    if target != result:
        body += [f"    {text}", _convert(result, "%y", "%last", target)]
    else:
        body.append(f"    {text.replace('%y', '%last')}")
    return _MODULE.format(source=source, target=target, body="\n".join(body))


class Scalars(Attack):
    name = "scalars"
    needs = ("grout-opt", "grout-compile")
    each = 3

    def run(self, case):
        chance = case.random()
        files = {INPUT: draw(chance).encode()}
        (case.folder / INPUT).write_bytes(files[INPUT])
        parsed = case.tools.run(
            "grout-opt", INPUT, "-o", "out.mlir", folder=case.folder
        )
        if parsed.status:
            case.notes["not MLIR"] += 1
            return []
        command = [
            "grout-compile",
            INPUT,
            f"--target={chance.choice(_TARGETS)}",
            "-o",
            ARTIFACT,
        ]
        ptxas = shutil.which("ptxas")
        if ptxas and "--target=cpu" not in command:
            command.append(f"--ptxas={ptxas}")
        finding = self._try(case, command, files)
        return [finding] if finding else []

    @staticmethod
    def _try(case, command, files):
        for name, data in files.items():
            (case.folder / name).write_bytes(data)
        done = case.tools.run(*command, folder=case.folder)
        verdict, reason = classify(done, located=True)
        if verdict == Verdict.REFUSED and _LATE.search(done.stderr):
            verdict, reason = Verdict.INTERNAL, generalise(reason)
        case.notes[verdict.value] += 1
        if verdict.is_fine:
            return None
        return Finding(verdict, command, reason, files, done.output, reason)

    def repeats(self, case, finding, files):
        other = self._try(case, finding.command, files)
        return other is not None and other.key == finding.key
