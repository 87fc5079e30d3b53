"""Writes models as packages, which run without compiler and importer."""

import collections
import dataclasses
import functools
import importlib.metadata
from operator import getitem
from typing import (
    IO,
    Any,
    Callable,
    Container,
    Iterable,
    Iterator,
    Mapping,
    Optional,
    Sequence,
    Union,
)

import torch
from torch import fx
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, OutputKind
from torch.fx.experimental.symbolic_shapes import free_unbacked_symbols
from torch.utils._pytree import tree_leaves

from ... import packages, targets
from ...errors import Error
from .. import records
from ..compilation import segments
from ..compilation.graphs import compile_parts
from ..decompositions import eager, tables
from ..graph import sources, support
from ..graph.nodes import call
from ..options import Options
from ..rewrites import attention_operands
from ..runtime.partition import Output, Partition
from . import nesting, packaged_model, programs
from .arguments import require_several

_OPTIONS = ("min_block_size", "excluded_ops", "cache_dir", "rounding")

_STATE = (InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR)
_RESULTS = (OutputKind.USER_OUTPUT, OutputKind.USER_INPUT_MUTATION)


def export(
    model: Union[torch.nn.Module, ExportedProgram],
    args: Sequence[Any] = (),
    path: packages.Path = "model.gpkg",
    *,
    kwargs: Optional[Mapping[str, Any]] = None,
    target: Optional[str] = None,
    options: Optional[Mapping[str, Any]] = None,
) -> packages.Info:
    """Writes a model as a package to `path`, compiled for inputs like `args`
    and `kwargs`. Returns the facts that grout.info tells of the package.

        grout.export(model, (x,), "model.gpkg", target="h200")
        y = grout.load("model.gpkg")(x)

    `model` may also be a program of torch.export, which has its inputs; then
    `args` and `kwargs` are empty. The model and the inputs may be on the CPU
    whatever the target: no GPU is needed. `target` is a processor of
    Options.target, by default the processor of the inputs' device. Of the
    backend's options, `options` may have min_block_size, excluded_ops,
    cache_dir and rounding.

    The package is for these shapes and types, and for these values of arguments
    that are not tensors. If the model updates arguments in place, the package
    updates them, too. The file is read as a check before it appears at `path`.

    Raises:

    - Error for models that change their buffers, or have shapes that are not
      known, tensors that are quantised, sparse or of a type that PyTorch does
      not write, or results that JSON cannot describe.
    - TypeError for inputs beside a program of torch.export, and for a tensor as
      `args`.
    - ValueError for other options or targets.
    - FileNotFoundError if there is no folder for `path`.
    - The exceptions of torch.export, if it cannot follow the model.
    """
    packages.require_folder(path)
    chosen = _options(target, options)
    if isinstance(model, ExportedProgram):
        if len(args) or kwargs:
            raise TypeError(
                "grout.export takes no args and kwargs with an "
                "ExportedProgram, which was exported for some"
            )
        program, name = model, "model"
    else:
        require_several(args, "grout.export")
        name = type(model).__name__
        program = _exported(model, args, kwargs or {})
    compiled = _compile(program, chosen)
    program, operators = compiled.program, compiled.operators
    steps, artifacts = _steps(
        program.graph_module, compiled.parts, compiled.functions
    )
    left = collections.Counter(
        (one.operator, one.reason)
        for one in operators
        if one.partition is None and not one.is_view
    )
    weights = dict(_weights(program))
    manifest = {
        "name": name,
        "target": compiled.target,
        "versions": {"grout": _version(), "torch": str(torch.__version__)},
        "inputs": list(_inputs(program, compiled.updated)),
        "outputs": list(_outputs(program)),
        "weights": [_tensor(name, tensor) for name, tensor in weights.items()],
        "call": _specification(program),
        "steps": steps,
        "needs": list(_needs(program, steps)),
        "operators": sum(one.partition is not None for one in operators),
        "left": [
            dataclasses.asdict(packages.Refused(*key, count))
            for key, count in left.most_common()
        ],
    }
    packages.write(
        path,
        manifest,
        artifacts,
        lambda file: _save(weights, file),
        lambda reader: _check(reader, compiled.device),
    )
    return packages.info(path)


def _save(weights: Mapping[str, torch.Tensor], file: IO[bytes]) -> None:
    try:
        torch.save(weights, file)
    except (KeyError, RuntimeError) as error:
        raise _unwritten(weights, error) from error


def _unwritten(weights: Mapping[str, torch.Tensor], error: Exception) -> Error:
    types = sorted({records.type_name(one.dtype) for one in weights.values()})
    return Error(
        "PyTorch cannot write the weights, whose types are "
        f"{', '.join(types)}: {error}"
    )


def _check(reader: packages.Reader, device: torch.device) -> None:
    try:
        packaged_model.check(reader, device)
    except Error:
        raise
    except Exception as error:
        raise Error(f"what was written could not be read: {error}") from error


def operators_for(
    model: torch.nn.Module,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    options: Options,
) -> list[records.Operator]:
    """Returns the operators of a package of the model, with what became of
    each. Raises the errors of `export`."""
    return _compile(_exported(model, args, kwargs), options).operators


def _exported(
    model: torch.nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> ExportedProgram:
    state = (
        [vars(module) for module in model.modules()]
        if isinstance(model, torch.nn.Module)
        else []
    )
    _require_strided(tree_leaves((args, kwargs, state)))
    with torch.no_grad():
        return torch.export.export(model, tuple(args), dict(kwargs))


@dataclasses.dataclass
class _Compiled:
    """A program that is compiled for a processor that need not be there."""

    program: ExportedProgram
    target: str
    device: torch.device
    updated: set[str]
    """The names of the arguments that the program updates."""
    parts: list[segments.Segment]
    functions: list[Optional[Callable[..., Any]]]
    operators: list[records.Operator]


def _compile(program: ExportedProgram, options: Options) -> _Compiled:
    device = torch.device(
        _device_of(program).type
        if options.target is None
        else targets.get(options.target).device_type
    )
    program = _decomposed(program, device)
    _require_pure(program)
    updated = _update_inputs(program)
    _move(program.graph_module, device)
    with records.listen() as operators:
        parts, functions = compile_parts(program.graph_module, options)
    made_for = next(
        (
            function.module.target
            for function in functions
            if isinstance(function, Partition)
        ),
        options.target or device.type,
    )
    return _Compiled(
        program, made_for, device, updated, parts, functions, operators
    )


def _options(
    target: Optional[str], options: Optional[Mapping[str, Any]]
) -> Options:
    for name in options or {}:
        if name not in _OPTIONS:
            raise ValueError(
                f"grout: export has no option {name!r}; there are "
                f"{', '.join(_OPTIONS)}"
            )
    return Options.parse(
        None, {**(options or {}), "target": target, "fallback": "eager"}
    )


def _version() -> str:
    try:
        return importlib.metadata.version("grout")
    except importlib.metadata.PackageNotFoundError:
        return "of a build tree"


def _device_of(program: ExportedProgram) -> torch.device:
    for node in program.graph_module.graph.nodes:
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor):
            return value.device
    raise Error("the model has no tensors")


@functools.cache
def _decompositions(
    is_on_cpu: bool, operator_count: int
) -> dict[Any, eager.Rule]:
    """Returns the table of decompositions, which PyTorch copies. Libraries that
    are imported later may add to the `operator_count` operators."""
    default = torch.export.default_decompositions()
    # Decompositions of operators that PyTorch has no kernels of; Grout's table
    # has the others.
    table: dict[Any, Callable[..., Any]] = {
        operator: function
        for operator, function in default.items()
        if operator._can_decompose()
    }
    table.update(
        tables.for_cpu(targets.cpu().has_f32_products)
        if is_on_cpu
        else tables.for_gpu()
    )
    return eager.as_eager(table)


def _decomposed(
    program: ExportedProgram, device: torch.device
) -> ExportedProgram:
    table = _decompositions(
        device.type == "cpu", len(torch._C._dispatch_get_all_op_names())
    )
    attention_operands.lay_out(program.graph_module, device.type != "cpu")
    if device.type != "cpu":
        _choose_kernel(program.graph_module)
    try:
        program = program.run_decompositions(table)
    except eager.EagerError as found:
        raise found.error from None
    _drop_checks(program.graph_module)
    if device.type != "cpu":
        _keep_attention(program.graph_module)
    return program


def _drop_checks(module: fx.GraphModule) -> None:
    """Removes checks of facts that a package knows: its tensors are as they
    were exported, except for their device."""
    for node in list(module.graph.nodes):
        if node.target is torch.ops.aten._assert_tensor_metadata.default:
            module.graph.erase_node(node)


def _choose_kernel(module: fx.GraphModule) -> None:
    """Chooses attention's kernel where values have another size than keys:
    PyTorch has one on GPUs, and would decompose attention on the CPU."""
    aten = torch.ops.aten
    for node in module.graph.find_nodes(
        op="call_function", target=aten.scaled_dot_product_attention.default
    ):
        query, key, value, *rest = node.args
        options = dict(zip(_ATTENTION_OPTIONS, rest), **node.kwargs)
        if (
            key.meta["val"].shape[-1] == value.meta["val"].shape[-1]
            or query.meta["val"].dim() != 4
            or options.pop("enable_gqa", False)
        ):
            continue
        mask = options.pop("attn_mask", None)
        with module.graph.inserting_before(node):
            attention = module.graph.call_function(
                aten._scaled_dot_product_efficient_attention.default,
                (query, key, value, mask, False),
                options,
            )
            result = module.graph.call_function(getitem, (attention, 0))
        attention.meta = {
            name: (value,) if name == "val" else value
            for name, value in node.meta.items()
        }
        result.meta = dict(node.meta)
        node.replace_all_uses_with(result)
        module.graph.erase_node(node)
    module.recompile()


_ATTENTION_OPTIONS = ("attn_mask", "dropout_p", "is_causal")


def _keep_attention(module: fx.GraphModule) -> None:
    """Replaces kernels of attention by attention as the model calls it, so that
    each device uses its own kernel."""
    aten = torch.ops.aten
    operands = ("query", "key", "value")
    arguments_of = {
        aten._scaled_dot_product_flash_attention_for_cpu.default: (
            *operands,
            "dropout_p",
            "is_causal",
        ),
        aten._scaled_dot_product_efficient_attention.default: (
            *operands,
            "attn_mask",
            "compute_log_sumexp",
            "dropout_p",
            "is_causal",
        ),
    }
    for node in list(module.graph.nodes):
        names = arguments_of.get(node.target)
        if names is None:
            continue
        arguments = dict(zip(names, node.args), **node.kwargs)
        arguments.pop("compute_log_sumexp", None)
        with module.graph.inserting_before(node):
            whole = module.graph.call_function(
                aten.scaled_dot_product_attention.default, kwargs=arguments
            )
        for user in list(node.users):
            if user.args[1] == 0:
                whole.meta = dict(user.meta)
                user.replace_all_uses_with(whole)
                module.graph.erase_node(user)
        module.graph.erase_node(node)
    module.recompile()


def _require_strided(values: Iterable[Any]) -> None:
    """Raises Error for tensors that a package cannot hold, and for which
    torch.export has no errors."""
    for value in values:
        if not isinstance(value, torch.Tensor):
            continue
        if value.is_quantized:
            raise Error(
                "a package cannot hold quantised tensors, such as of "
                f"{records.type_name(value.dtype)}"
            )
        if value.layout != torch.strided:
            layout = str(value.layout).removeprefix("torch.")
            raise Error(
                f"a package cannot hold tensors whose layout is {layout}"
            )


def _require_pure(program: ExportedProgram) -> None:
    signature = program.graph_signature
    for given in signature.input_specs:
        if given.kind not in (*_STATE, InputKind.USER_INPUT):
            raise Error(
                f"input {given.arg.name} is a {given.kind.name.lower()}"
                ", which a package cannot hold"
            )
    for made in signature.output_specs:
        if made.kind not in _RESULTS:
            raise Error(
                f"the model changes {made.target or 'its state'} "
                f"({made.kind.name.lower().replace('_', ' ')}), which a "
                "package does not; perhaps it is not in eval() mode"
            )
    for node in program.graph_module.graph.nodes:
        for value in support.values_of(node):
            _require_known(value, node)


def _require_known(value: Any, node: fx.Node) -> None:
    """Raises Error if a value of a node has a shape that is not known."""
    if not isinstance(value, (torch.SymInt, torch.Tensor)):
        return
    if free_unbacked_symbols(value):
        raise Error(
            f"the shape of {node.name} depends on the values of "
            f"elements{sources.place_of(node)}; packages have one "
            "shape for all"
        )
    if isinstance(value, torch.SymInt) or any(
        not isinstance(extent, int) for extent in value.shape
    ):
        raise Error(
            f"the shape of {node.name} is not known; packages have "
            "one shape: export without dynamic_shapes"
        )


def _update_inputs(program: ExportedProgram) -> set[str]:
    """Makes the graph update arguments in place, as torch.compile has it,
    instead of returning their new values. Returns the names of these
    arguments."""
    graph = program.graph_module.graph
    placeholders = {
        node.name: node for node in graph.find_nodes(op="placeholder")
    }
    output = next(node for node in graph.nodes if node.op == "output")
    updated: set[str] = set()
    results = []
    for made, value in zip(
        program.graph_signature.output_specs, output.args[0]
    ):
        if made.kind == OutputKind.USER_OUTPUT:
            results.append(value)
            continue
        assert made.target is not None
        updated.add(made.target)
        with graph.inserting_before(output):
            call(
                graph,
                value,
                torch.ops.aten.copy_.default,
                placeholders[made.target],
                value,
            )
    output.args = (tuple(results),)
    return updated


def _move(module: fx.GraphModule, device: torch.device) -> None:
    """Changes the metadata, so that all tensors are on `device`."""

    def moved(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return type(value)(map(moved, value))
        if not isinstance(value, torch.Tensor) or (
            value.device.type == device.type
        ):
            return value
        assert isinstance(value, torch._subclasses.FakeTensor)
        with value.fake_mode:
            return torch.empty_strided(
                value.shape, value.stride(), dtype=value.dtype, device=device
            )

    for node in module.graph.nodes:
        if "val" in node.meta:
            node.meta["val"] = moved(node.meta["val"])
        if isinstance(node.kwargs.get("device"), torch.device):
            node.kwargs = {**node.kwargs, "device": device}


def _weights(program: ExportedProgram) -> Iterator[tuple[str, torch.Tensor]]:
    for given in program.graph_signature.input_specs:
        if given.kind in _STATE:
            assert given.target is not None
            state = (
                program.state_dict
                if given.target in program.state_dict
                else program.constants
            )
            yield given.arg.name, state[given.target].detach()


def _tensor(name: str, value: torch.Tensor) -> dict[str, Any]:
    return {
        "name": name,
        "dtype": records.type_name(value.dtype),
        "shape": list(value.shape),
        "bytes": value.numel() * value.element_size(),
    }


def _inputs(
    program: ExportedProgram, updated: Container[str]
) -> Iterator[dict[str, Any]]:
    """Yields the caller's inputs, which are tensors or constants."""
    values = {
        node.name: node.meta.get("val")
        for node in program.graph_module.graph.nodes
        if node.op == "placeholder"
    }
    for given in program.graph_signature.input_specs:
        if given.kind != InputKind.USER_INPUT:
            continue
        value = values[given.arg.name]
        if isinstance(value, torch.Tensor):
            yield {
                **_tensor(given.arg.name, value),
                "is_updated": given.arg.name in updated,
            }
        else:
            constant = getattr(given.arg, "value", value)
            yield {
                "name": given.arg.name,
                "constant": programs.encode_constant(constant),
            }


def _outputs(program: ExportedProgram) -> Iterator[dict[str, Any]]:
    output = next(
        node for node in program.graph_module.graph.nodes if node.op == "output"
    )
    for value in output.args[0]:
        if isinstance(value, fx.Node):
            yield _tensor(value.name, value.meta["val"])
        else:
            yield {"constant": programs.encode_constant(value)}


def _specification(program: ExportedProgram) -> dict[str, Any]:
    """Returns how arguments and results are nested."""
    return {
        "inputs": nesting.encode(program.call_spec.in_spec, is_result=False),
        "outputs": nesting.encode(program.call_spec.out_spec, is_result=True),
    }


def _needs(
    program: ExportedProgram, steps: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    """Yields sentences about the libraries that a process needs beside
    PyTorch."""
    nested = _specification(program)
    for name in dict.fromkeys(nesting.classes(nested["inputs"])):
        yield f"{name}, for its arguments"
    for name in dict.fromkeys(nesting.classes(nested["outputs"])):
        yield (
            f"{name}, for its results; without it they are a dictionary or "
            "a tuple"
        )
    libraries = {
        programs.library_of(call["target"]): call["target"]
        for step in steps
        for call in step.get("calls", ())
    }
    for library, operator in libraries.items():
        if library is not None:
            yield f"{library}, for its operator {operator}"


def _steps(
    module: fx.GraphModule,
    parts: Sequence[segments.Segment],
    functions: Sequence[Any],
) -> tuple[list[dict[str, Any]], list[bytes]]:
    """Returns the steps of the program, and its artifacts; equal artifacts are
    there once."""
    artifacts: dict[bytes, int] = {}
    steps: list[dict[str, Any]] = []
    for part, function in zip(parts, functions):
        segment = segments.extract(module, part)
        step: dict[str, Any] = {
            "inputs": [node.name for node in segment.inputs],
            "outputs": [node.name for node in segment.outputs],
        }
        if isinstance(function, Partition):
            step["artifact"] = artifacts.setdefault(
                function.module.artifact, len(artifacts)
            )
            step["results"] = [_result(output) for output in function.outputs]
            step["orders"] = function.input_orders
        else:
            step["calls"] = programs.encode(part.nodes)
        steps.append(step)
    return steps, list(artifacts)


def _result(output: Output) -> dict[str, Any]:
    result: dict[str, Any] = {
        "shape": output.shape,
        "stride": output.stride,
        "dtype": records.type_name(output.dtype),
    }
    if output.message:
        result["message"] = output.message
    if output.in_place is not None:
        result["in_place"] = output.in_place
    return result
