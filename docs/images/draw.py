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
            picture.box(x + 1, y + 1, _CELL - 3, _ROW - 5, style,
                        "" if tile == "." else tile, size="small")
            x += _CELL
    return left + 44, top + 18 + len(rows) * _ROW


def draw_overlap():
    """What is gained where tiles wait for tiles, and not kernels for kernels."""
    picture = Picture(880, 250, "Two dependent kernels, one after another and "
                                "synchronised by tile")
    left, bottom = _draw_schedule(
        picture, 24, 34, "One kernel after another",
        ["AAAA|BBBB", "AAAA|BBBB", "AAA.|BBB.", "AAA.|BBB."])
    split = left + 4 * _CELL + 5
    picture.line((split, 44), (split, bottom + 6), dashed=True)
    picture.text(split, bottom + 22, "all of B waits for all of A",
                 ink="note", size="small", anchor="middle")

    left, bottom = _draw_schedule(
        picture, 480, 34, "Synchronised by tile",
        ["AAAABBB", "AAAABBB", "AAABBBB", "AAABBBB"])
    picture.text(left + 3.5 * _CELL, bottom + 22,
                 "a tile of B waits for the tiles of A that it reads",
                 ink="note", size="small", anchor="middle")

    y = bottom + 40
    for x, style, words in ((68, "blue", "tile of kernel A"),
                            (218, "orange", "tile of kernel B, which reads A"),
                            (460, "idle", "idle SM")):
        picture.box(x, y, 18, 18, style)
        picture.text(x + 26, y + 13, words, size="small")
    picture.arrow((640, y + 9), (800, y + 9))
    picture.text(808, y + 13, "time", ink="note", size="small")
    return picture


_PICTURES = {"overlap.svg": draw_overlap}


def main():
    here = pathlib.Path(__file__).parent
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here
    for name, draw in _PICTURES.items():
        draw().save(folder / name)


if __name__ == "__main__":
    main()
