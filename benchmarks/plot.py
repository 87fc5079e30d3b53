"""Plots results as SVG, with matplotlib."""

import report
from errors import UserError


def draw(results, regime, path):
    """Plots times (above) and ratios (below) over M, with a column for each
    model."""
    try:
        import matplotlib
    except ImportError as error:
        raise UserError(
            "plot needs matplotlib: pip install -r benchmarks/requirements.txt"
        ) from error
    matplotlib.use("svg")
    # The same results give the same file.
    matplotlib.rcParams["svg.hashsalt"] = "grout"
    from matplotlib import pyplot

    models = report.models(results)
    styles = _styles(results)
    figure, axes = pyplot.subplots(
        2,
        len(models),
        sharex="col",
        squeeze=False,
        figsize=(1.5 + 3.5 * len(models), 6),
        layout="constrained",
    )
    for column, (model, rows) in enumerate(models.items()):
        above, below = axes[:, column]
        above.set_title(model)
        _lines(above, rows, styles, [report.times(row, regime) for row in rows])
        below.axhline(1, color="black", linewidth=0.8)
        _lines(
            below, rows, styles, [report.ratios(row, regime) for row in rows]
        )
        above.set_yscale("log")
        below.set_xscale("log", base=2)
        below.xaxis.set_major_formatter("{x:g}")
        below.set_xlabel("M")
    axes[0, 0].set_ylabel("µs")
    axes[1, 0].set_ylabel("best peer / Grout")
    handles = {}
    for axis in axes[0]:
        handles.update(zip(*axis.get_legend_handles_labels()[::-1]))
    ordered = [name for name in styles if name in handles]
    figure.legend(
        [handles[name] for name in ordered],
        ordered,
        loc="outside lower center",
        ncols=6,
        frameon=False,
    )
    figure.suptitle(
        f"{results['title']}, {results['device']['gpu']}, {regime} regime"
    )
    figure.savefig(path, format="svg", metadata={"Date": None})
    pyplot.close(figure)


def _styles(results):
    """Returns the styles of lines. Peers are dashed. Colours go by position,
    and begin at opposite ends of the cycle for peers and for Grout."""
    peers = report.columns(results, "peer")
    ours = report.columns(results, "grout")
    styles = {
        name: {"color": f"C{9 - i % 5}", "linestyle": "--"}
        for i, name in enumerate(peers)
    }
    styles.update(
        {
            name: {"color": f"C{i % 5}", "linestyle": "-"}
            for i, name in enumerate(ours)
        }
    )
    return styles


def _lines(axis, rows, styles, values):
    """Draws a line for each variant, through the rows that have it."""
    for name, style in styles.items():
        points = [
            (row["case"]["M"], value[name])
            for row, value in zip(rows, values)
            if name in value
        ]
        if points:
            axis.plot(
                *zip(*points), marker="o", markersize=3, label=name, **style
            )
    axis.grid(True, linewidth=0.3)
