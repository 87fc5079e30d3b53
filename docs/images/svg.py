"""A few shapes of SVG, in colours that suit light and dark backgrounds.

Each picture has a panel of its own behind it, so that it can be read on any
page; the panel is dark where the reader's system prefers that.
"""

import html
import pathlib

_FONT = "font-family:'DejaVu Sans',Verdana,sans-serif"

# style: fill and stroke on a light panel, and on a dark one.
_COLOURS = {
    "panel": (("#ffffff", "#d0d7de"), ("#0d1117", "#3d444d")),
    "grey": (("#eef1f4", "#8c959f"), ("#21262d", "#7d8590")),
    "blue": (("#cfe3ff", "#0969da"), ("#12305c", "#4493f8")),
    "orange": (("#ffe2c2", "#bc4c00"), ("#55300f", "#f0883e")),
    "green": (("#c8f0d2", "#1a7f37"), ("#10402a", "#3fb950")),
    "purple": (("#ecd8ff", "#8250df"), ("#3c2463", "#a371f7")),
    "idle": (("none", "#afb8c1"), ("none", "#545d68")),
}
_INK = {"text": ("#1f2328", "#e6edf3"), "note": ("#57606a", "#a0a8b1")}
_LINE = ("#57606a", "#a0a8b1")


def _rules(dark):
    """The style sheet's colours for one kind of background."""
    rules = [
        f".{name}{{fill:{pair[dark][0]};stroke:{pair[dark][1]}}}"
        for name, pair in _COLOURS.items()
    ]
    rules += [f".{name}{{fill:{pair[dark]}}}" for name, pair in _INK.items()]
    rules.append(f".line{{stroke:{_LINE[dark]}}}")
    rules.append(f".head{{fill:{_LINE[dark]}}}")
    return "\n".join(rules)


_HEAD = f"""<style>
text{{{_FONT}}}
.title{{font-size:15px;font-weight:bold}}
.plain{{font-size:13px}}
.small{{font-size:11.5px}}
.code{{font-size:11.5px;font-family:'DejaVu Sans Mono',Menlo,monospace}}
.idle{{stroke-dasharray:3 3}}
.line{{fill:none;stroke-width:1.5}}
.dashed{{stroke-dasharray:5 4}}
{_rules(dark=False)}
@media (prefers-color-scheme: dark) {{
{_rules(dark=True)}
}}
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7"
markerHeight="7" orient="auto"><path class="head" d="M0,0 L8,4 L0,8 z"/>
</marker></defs>
"""


class Picture:
    """Shapes, drawn in order; lengths are in pixels, y goes down."""

    def __init__(self, width, height, title):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}" role="img">\n'
            f"<title>{html.escape(title)}</title>\n{_HEAD}"
        ]
        self.box(1, 1, width - 2, height - 2, "panel", radius=8)

    def box(self, x, y, width, height, style, label="", radius=4, size="plain"):
        """A rectangle with a label in its middle, of one or more lines."""
        self.parts.append(
            f'<rect class="{style}" x="{x}" y="{y}" width="{width}" '
            f'height="{height}" rx="{radius}"/>\n'
        )
        lines = label.split("\n") if label else []
        first = y + height / 2 - 8 * (len(lines) - 1) + 4.5
        for number, line in enumerate(lines):
            self.text(
                x + width / 2,
                first + 16 * number,
                line,
                size=size,
                anchor="middle",
            )

    def text(self, x, y, words, ink="text", size="plain", anchor="start"):
        self.parts.append(
            f'<text class="{ink} {size}" x="{x:g}" y="{y:g}" '
            f'text-anchor="{anchor}">{html.escape(words)}</text>\n'
        )

    def line(self, *points, dashed=False, head=False):
        """A line through points, with an arrow's head at its end if asked."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        style = "line dashed" if dashed else "line"
        end = ' marker-end="url(#head)"' if head else ""
        self.parts.append(f'<polyline class="{style}" points="{path}"{end}/>\n')

    def arrow(self, *points, dashed=False):
        self.line(*points, dashed=dashed, head=True)

    def save(self, path):
        pathlib.Path(path).write_text(
            "".join(self.parts) + "</svg>\n", encoding="utf-8"
        )
