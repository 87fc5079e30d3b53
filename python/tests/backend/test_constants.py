"""What is computed on the CPU, whatever a model is given, is read where the GPU
has it. Graphs are traced on tensors that have no memory, so no GPU is needed."""

import pytest
import torch
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

from grout.torch.compilation import graphs
from grout.torch.options import Options
from grout.torch.rewrites import constants, indexing

aten = torch.ops.aten
CUDA = torch.device("cuda", 0)


def traced(function, *shapes):
    """A graph of a function of tensors of a GPU, with its constants there."""
    with FakeTensorMode():
        graph = make_fx(function)(
            *(torch.empty(shape, device=CUDA) for shape in shapes)
        )
    constants.put_on_gpu(graph)
    graph.graph.lint()
    return graph


def attributes(graph):
    return [
        constants.attribute(graph, node)
        for node in graph.graph.find_nodes(op="get_attr")
    ]


def targets(graph):
    return [
        node.target for node in graph.graph.nodes if node.op == "call_function"
    ]


def relative(size):
    """As models compute how far one place is from another."""
    places = torch.arange(size)[:, None] * 1.0
    return ((places - torch.arange(size)[None, :]) + (size - 1)).long()


def test_equal_ones_are_there_once():
    graph = traced(
        lambda x, y: (x[relative(4)] + y[relative(4)], x[relative(3)]),
        (7, 5),
        (7, 5),
    )
    four, three = attributes(graph)
    assert four.tolist() == relative(4).tolist()
    assert three.tolist() == relative(3).tolist()
    assert set(targets(graph)) <= {
        aten.index.Tensor,
        aten.add.Tensor,
        aten.slice.Tensor,
    }
    for node in graph.graph.find_nodes(op="get_attr"):
        assert node.meta["val"].device == CUDA


@pytest.mark.parametrize("rows, checked", [(7, 0), (6, 1)])
def test_places_that_are_known_are_not_checked(rows, checked):
    graph = traced(lambda x: (x[relative(4)],), (rows, 5))
    lowered, message = indexing.lower(graph, on_gpu=True)
    assert targets(lowered).count(aten.any.default) == checked
    assert bool(message) == bool(checked)


def test_places_before_the_first_are_checked():
    for first, checked in ((-4, False), (-5, True)):
        graph = traced(lambda x: (x[torch.arange(3) + first],), (4, 5))
        assert bool(indexing.lower(graph, on_gpu=True)[1]) == checked


@pytest.mark.parametrize(
    "copied",
    [
        lambda x: x.to(CUDA),
        lambda x: x.to(CUDA, torch.float16),
        lambda x: x.cuda(non_blocking=True),
    ],
)
def test_copies_stay_copies(copied):
    """Who has one as a result may write to it."""
    graph = traced(lambda x: (copied(torch.arange(4)), x + 1), (4,))
    (copy,) = (
        node
        for node in graph.graph.find_nodes(
            op="call_function", target=aten._to_copy.default
        )
    )
    assert copy.args[0].op == "get_attr"
    assert not {"device", "non_blocking"} & set(copy.kwargs)


def test_copied_places_are_known():
    graph = traced(lambda x: (x[torch.arange(4).to(CUDA)],), (4,))
    assert not indexing.lower(graph, on_gpu=True)[1]


def test_places_that_the_gpu_counts_are_known():
    """As models resize images: kernels compute them, and check nothing."""

    def nearest(x):
        places = (
            (torch.arange(8, device=CUDA) * 0.5).clamp(0, 3).to(torch.int64)
        )
        return (x[:, places],)

    graph = traced(nearest, (2, 4))
    assert indexing.lower(graph, on_gpu=True)[1]
    constants.note_bounds(graph)
    assert not indexing.lower(graph, on_gpu=True)[1]
    assert not attributes(graph)


@pytest.mark.parametrize(
    "function",
    [lambda x: x[torch.randint(4, (3,))], lambda x: x + torch.rand(())],
)
def test_chance_is_none(function):
    graph = traced(function, (4, 5))
    assert not attributes(graph)
    assert any("rand" in str(target) for target in targets(graph))


def test_what_the_cpu_cannot_compute_is_none():
    """Here since it is wrong, though its value says nothing of that."""
    graph = traced(lambda x: (x[torch.arange(2) + 1],), (4,))
    (places,) = graph.graph.find_nodes(op="get_attr")
    with graph.graph.inserting_after(places):
        node = graph.graph.call_function(aten.view.default, (places, [3]))
    node.meta["val"] = places.meta["val"]
    assert constants.Constants(graph).of(places) is not None
    assert constants.Constants(graph).of(node) is None


def test_what_the_cpu_returns_stays_there():
    graph = traced(lambda x: (x * 2, torch.arange(3) + 1), (4,))
    assert not attributes(graph)


def test_they_are_moved_where_the_graph_says():
    """Here to a device that every machine has."""
    graph = traced(lambda x: x[torch.arange(5) // 2], (5,))
    (node,) = graph.graph.find_nodes(op="get_attr")
    node.meta["val"] = node.meta["val"].to("meta")
    with FakeTensorMode():  # as torch.compile does
        constants.move(graph)
    (moved,) = attributes(graph)
    assert moved.device.type == "meta" and moved.shape == (5,)


def test_a_layer_that_counts_on_the_cpu_is_one_segment():
    def layer(x, weight, bias):
        return ((x @ weight) + bias[relative(16)].sum(-1),)

    with FakeTensorMode():
        graph = make_fx(layer)(
            *(
                torch.empty(shape, dtype=torch.float16, device=CUDA)
                for shape in ((16, 16), (16, 16), (31, 8))
            )
        )
    parts, compiled = graphs.compile_parts(
        graph, Options.parse(None, {"target": "h200", "cache_dir": ""})
    )
    assert [part.is_grout for part in parts] == [True]
    assert all(compiled)
