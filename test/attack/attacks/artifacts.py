"""Damaged artifacts: the tool says what is wrong, or runs what is harmless."""

import struct

from attack.attack import Attack
from attack.outcome import Finding, Verdict, classify

INPUT, SOURCE = "damaged.grout", "source.mlir"
# What is damaged: small, with dependent kernels and a constant.
SOURCES = """
func.func @f(%x: tensor<48x64xf32>, %w: tensor<64x32xf32>,
             %v: tensor<32x16xf32>) -> (tensor<48x16xf32>, tensor<48xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0,
    11.0, 12.0, 13.0, 14.0, 15.0, 16.0]> : tensor<16xf32>
  %e0 = tensor.empty() : tensor<48x32xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<48x32xf32>) -> tensor<48x32xf32>
  %h = linalg.matmul ins(%x, %w : tensor<48x64xf32>, tensor<64x32xf32>)
    outs(%z0 : tensor<48x32xf32>) -> tensor<48x32xf32>
  %e1 = tensor.empty() : tensor<48x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<48x16xf32>) -> tensor<48x16xf32>
  %p = linalg.matmul ins(%h, %v : tensor<48x32xf32>, tensor<32x16xf32>)
    outs(%z1 : tensor<48x16xf32>) -> tensor<48x16xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%p, %c : tensor<48x16xf32>, tensor<16xf32>)
      outs(%e1 : tensor<48x16xf32>) {
  ^bb0(%a: f32, %b: f32, %_: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<48x16xf32>
  %e2 = tensor.empty() : tensor<48xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<48xf32>) -> tensor<48xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<48x16xf32>) outs(%z2 : tensor<48xf32>) {
  ^bb0(%a: f32, %old: f32):
    %r = arith.addf %a, %old : f32
    linalg.yield %r : f32
  } -> tensor<48xf32>
  return %y, %s : tensor<48x16xf32>, tensor<48xf32>
}
"""
_MODES = ("persistent", "serial")
_HEADER = 64
_WORDS = (0, 1, 2, 5, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFF, 1 << 16)


class Artifacts(Attack):
    name = "artifacts"
    needs = ("grout-compile", "grout-run")
    each = 2

    def run(self, case):
        chance = case.random()
        whole = compile_source(
            case, ["--target=cpu", "--mode=" + chance.choice(_MODES)], INPUT
        )
        damaged = damage(chance, whole)
        findings = [
            self._try(case, command, damaged)
            for command in (
                ["grout-run", INPUT, "--info"],
                # A header that fits damaged contents is a program like any other
                # library's: only what can't be is not run.
                *(
                    [["grout-run", INPUT, "--check", "--workers=2"]]
                    if unwraps(damaged) is None
                    else []
                ),
            )
        ]
        return [finding for finding in findings if finding]

    def _try(self, case, command, data):
        (case.folder / INPUT).write_bytes(data)
        done = case.tools.run(*command, folder=case.folder)
        verdict, reason = classify(done)
        case.notes[verdict.value] += 1
        if verdict == Verdict.OK and unwraps(data) is None:
            verdict, reason = Verdict.WRONG, "what is damaged is run"
        if verdict.is_fine:
            return None
        return Finding(verdict, command, reason, {INPUT: data}, done.output)

    def repeats(self, case, finding, files):
        other = self._try(case, finding.command, files[INPUT])
        return other is not None and other.key == finding.key


def compile_source(case, options, name):
    """An artifact of SOURCES: a file, and its bytes."""
    (case.folder / SOURCE).write_text(SOURCES)
    done = case.tools.run(
        "grout-compile", SOURCE, *options, "-o", name, folder=case.folder
    )
    if done.status:
        raise RuntimeError(done.stderr)
    return (case.folder / name).read_bytes()


def checksum(payload):
    value = 0xCBF29CE484222325
    for byte in payload:
        value = (value ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return value


def unwraps(data):
    """The payload, if the header fits it."""
    if len(data) < _HEADER:
        return None
    payload = data[_HEADER:]
    size, sum_ = struct.unpack_from("<QQ", data, 16)
    return (
        payload if (size, sum_) == (len(payload), checksum(payload)) else None
    )


def damage(chance, whole):
    """With the header made to fit, or not."""
    repairs = chance.random() < 0.7
    data = bytearray(whole[_HEADER if repairs else 0 :])
    for _ in range(chance.choice([1, 1, 2, 5])):
        if data:
            chance.choice(DAMAGES)(chance, data)
    if not repairs:
        return bytes(data) if bytes(data) != whole else bytes(data[:-1])
    header = bytearray(whole[:_HEADER])
    struct.pack_into("<QQ", header, 16, len(data), checksum(data))
    return bytes(header + data)


def _flip(chance, data):
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _cut(chance, data):
    del data[chance.randrange(len(data)) :]


def _word(chance, data):
    if len(data) >= 4:
        at = chance.randrange(len(data) // 4) * 4
        struct.pack_into("<I", data, at, chance.choice(_WORDS))


def _copy(chance, data):
    size = chance.randint(1, min(64, len(data)))
    start, to = (chance.randrange(len(data) - size + 1) for _ in range(2))
    data[to : to + size] = data[start : start + size]


def _insert(chance, data):
    data.insert(chance.randrange(len(data)), chance.randrange(256))


DAMAGES = (_flip, _cut, _word, _copy, _insert)
