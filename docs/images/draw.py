#!/usr/bin/env python3
"""Draws the pictures of the documents: docs/images/draw.py [FOLDER].

They are written beside this file, or to FOLDER. The test GroutDocs draws them
again, and fails where they are not what is here.
"""

import pathlib
import sys

from svg import Picture

_CELL, _ROW = 40, 30


def _draw_schedule(picture, left, top, title, rows):
    """SMs over time; of `rows`, each has a letter for each tile."""
    picture.text(left, top, title, size="title")
    for number, row in enumerate(rows):
        y = top + 18 + number * _ROW
        picture.text(left, y + 18, f"SM {number}", ink="note", size="small")
        x = left + 44
        for tile in row:
            if tile == "|":
                x += 12
                continue
            style = {"A": "blue", "B": "orange", ".": "idle"}[tile]
            picture.box(
                x + 1,
                y + 1,
                _CELL - 3,
                _ROW - 5,
                style,
                "" if tile == "." else tile,
                size="small",
            )
            x += _CELL
    return left + 44, top + 18 + len(rows) * _ROW


def draw_overlap():
    """What is gained where tiles wait for tiles, not kernels for kernels."""
    picture = Picture(
        880,
        250,
        "Two dependent kernels, one after another and synchronised by tile",
    )
    left, bottom = _draw_schedule(
        picture,
        24,
        34,
        "One kernel after another",
        ["AAAA|BBBB", "AAAA|BBBB", "AAA.|BBB.", "AAA.|BBB."],
    )
    split = left + 4 * _CELL + 5
    picture.line((split, 44), (split, bottom + 6), dashed=True)
    picture.text(
        split,
        bottom + 22,
        "all of B waits for all of A",
        ink="note",
        size="small",
        anchor="middle",
    )

    left, bottom = _draw_schedule(
        picture,
        480,
        34,
        "Synchronised by tile",
        ["AAAABBB", "AAAABBB", "AAABBBB", "AAABBBB"],
    )
    picture.text(
        left + 3.5 * _CELL,
        bottom + 22,
        "a tile of B waits for the tiles of A that it reads",
        ink="note",
        size="small",
        anchor="middle",
    )

    y = bottom + 40
    for x, style, words in (
        (68, "blue", "tile of kernel A"),
        (218, "orange", "tile of kernel B, which reads A"),
        (460, "idle", "idle SM"),
    ):
        picture.box(x, y, 18, 18, style)
        picture.text(x + 26, y + 13, words, size="small")
    picture.arrow((640, y + 9), (800, y + 9))
    picture.text(808, y + 13, "time", ink="note", size="small")
    return picture


# What each phase makes, its passes in order, and what it leaves to the next.
_PHASES = [
    ("linalg on tensors", "grey", [], "torch-mlir, StableHLO, or by hand"),
    (
        "linalg, checked",
        "grey",
        [
            "grout-set-target, verify-affine-maps, verify-reshapes,",
            "verify-paddings, verify-scalar-types, scop-verify-accesses,",
            "tensor-decompose-concat, linalg-fold-empty,",
            "linalg-drop-unused-results, linalg-insert-results,",
            "define-integer-division, expand-scalar-math,",
            "linalg-round-once, linalg-widen-residuals,",
            "convert-linalg-to-reference",
        ],
        "loops have iterations, ops write all of their results",
    ),
    (
        "tgemm",
        "blue",
        [
            "convert-linalg-to-conv2d, tgemm-merge-groups,",
            "tgemm-split-halves, convert-linalg-to-tgemm,",
            "tgemm-narrow-results, tgemm-concatenate-in-place",
        ],
        "matrix products have their epilogues",
    ),
    (
        "scop",
        "green",
        [
            "linalg-widen-accumulators, linalg-fold-roundings,",
            "linalg-fuse-conditions,",
            "scop-copy-results, scop-copy-views, convert-linalg-to-scop,",
            "scop-inline-producers, scop-split-loops,",
            "scop-collapse-loops, scop-split-reductions,",
            "scop-form-launches, scop-drop-duplicates,",
            "scop-schedule, scop-distribute, scop-verify-schedule,",
            "scop-merge-launches",
        ],
        "memory-bound kernels have proved schedules",
    ),
    (
        "tiles",
        "blue",
        [
            "tgemm-apply-tilings, tgemm-fuse-horizontally,",
            "tgemm-assign-tiling, tgemm-expand-stream-k,",
            "scop-assign-gpu-tiling or scop-assign-cpu-tiling",
        ],
        "kernels have tile shapes that fit the target",
    ),
    (
        "tsync",
        "orange",
        [
            "tsync-form-chains, tsync-derive-dependences,",
            "tsync-select-edge-modes, tsync-assign-order,",
            "tsync-select-policy, tsync-verify",
        ],
        "waits are there, and proved to be enough",
    ),
    (
        "launch",
        "purple",
        ["launch-form-plans, launch-schedule"],
        "launches on buffers, and every access is ordered by edges",
    ),
    (
        "kernels",
        "purple",
        [
            "convert-tiles-to-kernels, launch-place-buffers,",
            "convert-tsync-to-nvvm or convert-tsync-to-cpu,",
            "launch-merge-kernels",
        ],
        "every launch has a kernel, in LLVM and NVVM",
    ),
    (
        "artifact",
        "grey",
        [],
        "PTX, cubin or a shared object, and the plan: the runtime needs no LLVM",
    ),
]


def draw_passes():
    """Dialects from top to bottom, and the passes that lead to each."""
    heights = [max(34, 17 * len(passes) + 30) for _, _, passes, _ in _PHASES]
    gap = 18
    picture = Picture(
        880,
        sum(heights) + gap * (len(heights) - 1) + 40,
        "Dialects, and the passes that lead to each",
    )
    y = 20
    for number, (name, style, passes, leaves) in enumerate(_PHASES):
        height = heights[number]
        picture.box(24, y, 190, height, style, name)
        top = y + (height - 17 * len(passes) - 17) / 2 + 13
        for line, names in enumerate(passes):
            picture.text(240, top + 17 * line, names, size="code")
        picture.text(
            240, top + 17 * len(passes), leaves, ink="note", size="small"
        )
        if number:
            picture.arrow((119, y - gap), (119, y - 1))
        y += height + gap
    return picture


def draw_hopper_kernel():
    """The roles in a kernel for sm_90a, and what goes between them."""
    picture = Picture(900, 440, "Roles of the warps of a kernel for Hopper")
    picture.text(24, 30, "Global memory", size="title")
    picture.text(222, 30, "One CTA", size="title")
    picture.box(206, 42, 676, 350, "idle", radius=8)

    def memory(y, label, height=34):
        picture.box(24, y, 130, height, "grey", label, size="small")

    memory(60, "task list, ticket")
    memory(134, "weights")
    memory(214, "semaphores, waited")
    memory(256, "activations")
    memory(316, "result")
    memory(358, "semaphores, posted")

    warps = (
        (60, "purple", "warp 2: scheduler"),
        (134, "green", "warp 0: loader\nthat never waits"),
        (222, "green", "warp 1: loader\nthat waits first"),
        (330, "green", "warp 3: storer"),
    )
    for y, style, label in warps:
        picture.box(240, y, 140, 46, style, label, size="small")

    picture.box(470, 64, 120, 38, "grey", "next tile", size="small")
    picture.arrow((154, 77), (239, 80))
    picture.text(160, 70, "claim", ink="note", size="small")
    picture.arrow((380, 83), (469, 83))
    picture.text(600, 87, "read by all warps", ink="note", size="small")

    for number in range(4):
        picture.box(
            470,
            134 + 36 * number,
            120,
            30,
            "blue",
            f"stage {number}",
            size="small",
        )
    picture.text(
        530, 292, "ring of stages", ink="note", size="small", anchor="middle"
    )
    picture.text(
        530, 308, "in shared memory", ink="note", size="small", anchor="middle"
    )
    picture.arrow((154, 151), (239, 155))
    picture.arrow((154, 231), (239, 240), dashed=True)
    picture.text(172, 228, "wait", ink="note", size="small")
    picture.arrow((154, 273), (239, 256))
    picture.arrow((380, 157), (469, 175))
    picture.arrow((380, 245), (469, 230))
    picture.text(393, 150, "TMA load", ink="note", size="small")
    picture.text(393, 262, "TMA load", ink="note", size="small")
    picture.arrow((469, 203), (381, 203), dashed=True)
    picture.text(404, 197, "empty", ink="note", size="small")

    for number in range(2):
        picture.box(
            680,
            134 + 76 * number,
            180,
            66,
            "orange",
            f"consumer warpgroup {number}\nK loop: wgmma\nepilogue",
            size="small",
        )
    picture.arrow((590, 170), (679, 170))
    picture.text(622, 163, "full", ink="note", size="small")
    picture.arrow((679, 236), (591, 236), dashed=True)
    picture.text(616, 229, "empty", ink="note", size="small")

    picture.box(680, 330, 180, 46, "blue", "staging buffers", size="small")
    picture.arrow((770, 276), (770, 329))
    picture.text(778, 308, "stmatrix", ink="note", size="small")
    picture.arrow((680, 353), (381, 353))
    picture.text(530, 346, "full", ink="note", size="small", anchor="middle")
    picture.arrow((239, 345), (155, 335))
    picture.text(160, 328, "TMA store", ink="note", size="small")
    picture.arrow((239, 362), (155, 373), dashed=True)
    picture.text(178, 386, "post", ink="note", size="small")

    picture.text(
        24,
        420,
        "Solid lines: data. Dashed lines: waiting and "
        "posting. full and empty are mbarriers; warps 0 to "
        "3 are the producer warpgroup.",
        ink="note",
        size="small",
    )
    return picture


def _draw_bars(picture, y, bars):
    """Bars of a kernel over time: x, width, style and label of each."""
    for x, width, style, label in bars:
        picture.box(x, y, width, 26, style, label, size="small")


def draw_edges():
    """How a kernel may wait for an earlier one."""
    picture = Picture(880, 420, "Three edges between two kernels")
    end = 430

    def start(y, title, note):
        picture.text(24, y, title, size="title")
        picture.text(24, y + 18, note, ink="note", size="small")
        for line, name in enumerate(("kernel A", "kernel B")):
            picture.text(24, y + 48 + 36 * line, name, size="small")
        return y + 31

    y = start(32, "full", "mode serial: B starts when all of A has ended")
    _draw_bars(picture, y, [(100, 330, "blue", "tiles of A")])
    _draw_bars(
        picture,
        y + 36,
        [
            (end + 8, 60, "grey", "launch"),
            (end + 70, 82, "green", "weights"),
            (end + 154, 82, "green", "activations"),
            (end + 238, 150, "orange", "K loop, epilogue"),
        ],
    )
    picture.line((end, y - 6), (end, y + 68), dashed=True)

    y = start(
        162,
        "programmatic (PDL)",
        "mode pdl: B starts early, loads what A does not write, and "
        "waits for the end of A before the rest",
    )
    _draw_bars(picture, y, [(100, 330, "blue", "tiles of A")])
    _draw_bars(
        picture,
        y + 36,
        [
            (250, 60, "grey", "launch"),
            (312, 82, "green", "weights"),
            (end + 4, 82, "green", "activations"),
            (end + 88, 150, "orange", "K loop, epilogue"),
        ],
    )
    picture.arrow((250, y + 26), (250, y + 35))
    picture.text(244, y + 52, "trigger", ink="note", size="small", anchor="end")
    picture.line((end, y - 6), (end, y + 68), dashed=True)
    picture.text(
        end + 6, y + 12, "griddepcontrol.wait returns", ink="note", size="small"
    )

    y = start(
        292,
        "tile",
        "modes overlap and persistent: a tile of B waits for semaphores "
        "that the tiles of A which it reads have posted",
    )
    _draw_bars(
        picture, y, [(100 + 82 * n, 80, "blue", f"A row {n}") for n in range(4)]
    )
    _draw_bars(
        picture,
        y + 36,
        [(190 + 82 * n, 80, "orange", f"B row {n}") for n in range(4)],
    )
    for number in range(4):
        x = 180 + 82 * number
        picture.arrow((x, y + 26), (x + 10, y + 35), dashed=True)
    picture.text(
        530,
        y + 54,
        "post and wait: one semaphore for each row",
        ink="note",
        size="small",
    )
    picture.arrow((660, 404), (800, 404))
    picture.text(808, 408, "time", ink="note", size="small")
    return picture


def draw_plan():
    """Launches of a plan, and the edges between them."""
    picture = Picture(880, 226, "A plan of three launches in mode overlap")
    picture.text(
        24,
        32,
        "A plan: h = x w, g = x v, y = h g in mode overlap",
        size="title",
    )
    picture.box(24, 56, 100, 46, "grey", "launch.start", size="small")
    picture.box(214, 56, 150, 46, "blue", "kernel0\nh = x w", size="small")
    picture.box(440, 130, 150, 46, "green", "kernel1\ng = x v", size="small")
    picture.box(690, 56, 150, 46, "orange", "kernel2\ny = h g", size="small")

    picture.arrow((124, 79), (213, 79))
    picture.text(166, 72, "programmatic", size="small", anchor="middle")
    picture.arrow((364, 79), (689, 79))
    picture.text(526, 72, "tile", size="small", anchor="middle")
    picture.arrow((289, 102), (289, 153), (439, 153))
    picture.text(362, 146, "launch_order", size="small", anchor="middle")
    picture.arrow((590, 153), (765, 153), (765, 103))
    picture.text(676, 146, "tile", size="small", anchor="middle")
    picture.text(
        24,
        208,
        "Arrows are edges. kernel1 reads nothing of "
        "kernel0: that edge is for the order of starts and "
        "ends alone.",
        ink="note",
        size="small",
    )
    return picture


_PICTURES = {
    "edges.svg": draw_edges,
    "hopper-kernel.svg": draw_hopper_kernel,
    "overlap.svg": draw_overlap,
    "passes.svg": draw_passes,
    "plan.svg": draw_plan,
}


def main():
    here = pathlib.Path(__file__).parent
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here
    for name, draw in _PICTURES.items():
        draw().save(folder / name)


if __name__ == "__main__":
    main()
