"""Compiles cases, each in several variants. Needs no GPU."""

import concurrent.futures

from compiler import headline
from variants import Variant

from memory_bound.names import AKG, AKG_TREE, AUTO, NONE, NONE_TREE

_NONE = ("--scop-tree=none", "--scop-solver=isl")
_AKG = ("--scop-tree=akg",)
_RESTRUCTURED = ("--scop-restructure=always",)
_OPTIONS = {
    AUTO: (),
    NONE: _NONE,
    AKG: _AKG,
    NONE_TREE: _NONE + _RESTRUCTURED,
    AKG_TREE: _AKG + _RESTRUCTURED,
}


def compile_cases(compiler, folder, cases, names, jobs, say):
    """Entries for the manifest, in the order of `cases`; `names` are those of
    variants."""
    variants = [
        Variant(name, "serial", options=_OPTIONS[name]) for name in names
    ]

    def compile_case(case):
        source = folder / f"{case.name}.mlir"
        source.write_text(case.ir)
        made = {}
        for variant in variants:
            name = f"{case.name}-{variant.name}.grout"
            diagnostic = compiler.compile(source, variant, folder / name)
            made[variant.name] = (
                {"artifact": name}
                if diagnostic is None
                else {"refused": headline(diagnostic)}
            )
        return made

    entries = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for case, made in zip(cases, pool.map(compile_case, cases)):
            entries.append((case, made))
            say(
                f"[{len(entries)}/{len(cases)}] {case.name}"
                + "".join(
                    f"; {name} refused: {variant['refused']}"
                    for name, variant in made.items()
                    if "refused" in variant
                )
            )
    return entries
