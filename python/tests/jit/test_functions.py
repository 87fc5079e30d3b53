"""grout.jax.jit itself."""

import collections
import threading

import numpy
import pytest

jax = pytest.importorskip("jax")

from jax import lax  # noqa: E402
from jax import numpy as jnp  # noqa: E402

import grout  # noqa: E402
import grout.jax  # noqa: E402
from grout import _dlpack  # noqa: E402
from grout.jax import programs  # noqa: E402

X = jnp.arange(12.0).reshape(3, 4)


@pytest.fixture
def compilations(monkeypatch):
    """The names of what is compiled."""
    original, names = programs.compiling.compile, []

    def compile(*args, **options):
        names.append(options["name"])
        return original(*args, **options)

    monkeypatch.setattr(programs.compiling, "compile", compile)
    return names


def equal(x, y):
    assert jax.tree.structure(x) == jax.tree.structure(y)
    for a, b in zip(jax.tree.leaves(x), jax.tree.leaves(y)):
        assert (a.dtype, a.weak_type) == (b.dtype, b.weak_type)
        numpy.testing.assert_array_equal(a, b)


def agrees(function, *args, **kwargs):
    equal(
        grout.jax.jit(function)(*args, **kwargs),
        jax.jit(function)(*args, **kwargs),
    )


def test_structures():
    Pair = collections.namedtuple("Pair", "left right")

    def function(pair, tensors, *, more=None):
        total = pair.left + pair.right + tensors["x"][0]
        return {"total": total, "pair": Pair(total, (None, more))}, []

    agrees(function, Pair(X, 2 * X), {"x": [X]}, more=X)
    agrees(function, Pair(X, 2 * X), {"x": [X]})


def test_results_that_are_not_computed():
    def function(x, unused):
        y = x + 1
        return x, x, y, y, jnp.zeros(3), 7, numpy.ones(2, numpy.float32)

    agrees(function, X, X)
    agrees(lambda: jnp.ones(3))
    with pytest.raises(grout.CompileError, match="nothing has no results"):

        def nothing(x):
            return None

        grout.jax.jit(nothing)(X)


def test_keyword_and_default_arguments():
    def function(x, y=2.0, *, z=1.0):
        return x * y + z

    agrees(function, X)
    agrees(function, X, z=3)
    agrees(function, y=4.0, x=X)


@pytest.mark.parametrize(
    "statics",
    [
        {"static_argnums": 1},
        {"static_argnames": "axis"},
        {"static_argnums": 1, "static_argnames": "axis"},
    ],
)
def test_static_arguments(statics, compilations):
    def function(x, axis, y=1.0):
        return jnp.sum(x, axis) * y

    compiled = grout.jax.jit(function, **statics)
    for axis in (0, 1, 0):
        equal(compiled(X, axis), function(X, axis))
        equal(compiled(X, axis, 2.0), function(X, axis, 2.0))
    assert len(compilations) == 4
    if statics != {"static_argnums": 1}:
        equal(compiled(X, axis=1), function(X, axis=1))
    with pytest.raises(ValueError, match="hash"):
        compiled(X, [0])


def test_static_arguments_from_the_last():
    compiled = grout.jax.jit(lambda x, axis: x.sum(axis), static_argnums=-1)
    equal(compiled(X, 1), X.sum(1))


def test_weak_types():
    agrees(lambda x: (x, x * 2), 3.0)
    agrees(lambda x, y: x + y, 2, jnp.ones(3, "bfloat16"))
    agrees(lambda x: x + 1, True)


def test_numpy_arguments():
    agrees(lambda x: x + 1, numpy.arange(12.0).reshape(3, 4)[::2, ::-1])
    agrees(lambda x: x + 1, numpy.float16(3))
    readonly = numpy.arange(3)
    readonly.flags.writeable = False
    agrees(lambda x: x + 1, readonly)


def test_results_stay():
    compiled = grout.jax.jit(lambda x: x + 1)
    first = compiled(X)
    compiled(2 * X)
    equal(first, X + 1)


def test_results_are_not_copied():
    result = grout.jax.jit(lambda x: x + 1)(X)
    assert _dlpack.View(result, "it").address % 64 == 0


def test_captured_arrays():
    weights = jnp.arange(4.0)
    table = numpy.ones((3, 4), numpy.float32)
    inner = jax.jit(lambda x: x * weights)

    def function(x):
        return inner(x) + table + weights

    compiled = grout.jax.jit(function)
    wanted = function(X)
    equal(compiled(X), wanted)
    table[:] = 7
    equal(compiled(X), wanted)


def test_compiled_once(compilations):
    compiled = grout.jax.jit(lambda x: x + 1)
    for x in (X, 2 * X, X[0], X, X.astype("float16"), X[0]):
        equal(compiled(x), x + 1)
    assert len(compilations) == 3


def test_threads(compilations):
    compiled = grout.jax.jit(lambda x: jnp.tanh(x) * 2)
    wrong = []

    def work(i):
        x = X + i % 2
        for _ in range(20):
            if not jnp.allclose(compiled(x), jnp.tanh(x) * 2):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert len(compilations) == 1


def test_name_and_documentation():
    @grout.jax.jit
    def double(x):
        """Twice."""
        return 2 * x

    assert (double.__name__, double.__doc__) == ("double", "Twice.")
    equal(double(X), 2 * X)


@pytest.mark.parametrize(
    "transform",
    [
        jax.jit,
        jax.vmap,
        jax.grad,
        lambda f: lambda x: lax.map(f, x),
        lambda f: lambda x: jax.jvp(f, (x,), (x,)),
        jax.make_jaxpr,
        grout.jax.jit,
    ],
)
def test_not_where_jax_traces(transform):
    compiled = grout.jax.jit(jnp.sum)
    with pytest.raises(
        TypeError, match="where JAX traces.*transform the funct"
    ):
        transform(compiled)(X)
    equal(compiled(X), jnp.sum(X))


def test_sharded_arrays():
    mesh = jax.make_mesh((2,), ("i",))
    spec = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("i"))
    compiled = grout.jax.jit(lambda x: x + 1)
    with pytest.raises(ValueError, match="sharded over 2 devices"):
        compiled(jax.device_put(jnp.arange(4.0), spec))
    weights = jax.device_put(jnp.arange(4.0), spec)
    with pytest.raises(ValueError, match="sharded over 2 devices"):
        grout.jax.jit(lambda x: x + weights)(jnp.arange(4.0))


def test_devices():
    first, second = jax.devices()
    compiled = grout.jax.jit(lambda x, y: x + y)
    there = jax.device_put(X, second)
    assert compiled(there, X).device == second
    assert compiled(X, X).device == first
    with pytest.raises(ValueError, match="on several devices"):
        compiled(there, jax.device_put(X, first))


def test_cache(compilations, tmp_path):
    def run(folder, x=X):
        equal(grout.jax.jit(lambda x: x @ x.T, cache_dir=folder)(x), x @ x.T)

    folder = tmp_path / "entries"
    run(folder)
    run(folder)
    assert len(compilations) == 1
    (entry,) = folder.iterdir()
    entry.write_bytes(b"damaged")
    run(folder)
    assert len(compilations) == 2
    run(folder, X[:2])
    assert len(compilations) == 3
    one, other = (path.read_bytes() for path in sorted(folder.iterdir()))
    for path, data in zip(sorted(folder.iterdir()), (other, one)):
        path.write_bytes(data)
    run(folder)
    assert len(compilations) == 4


def test_modules():
    def function(x, w):
        return jnp.tanh(x @ w)

    shape = jax.ShapeDtypeStruct((64, 64), "float16")
    compiled = grout.jax.jit(function, target="h200")
    module = compiled.compile(shape, shape)
    assert [str(info) for info in module.inputs] == [
        "arg0: f16[64, 64]",
        "arg1: f16[64, 64]",
    ]
    assert module.target == "h200"
    assert "linalg.matmul" in compiled.as_text(shape, shape)
    x = jnp.ones((64, 64), "float16")
    with pytest.raises(ValueError, match="for h200, and grout.jax runs on"):
        compiled(x, x)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "bool"])
def test_arrays_of_jax_for_modules(dtype):
    module = grout.jax.jit(lambda x: x.T).compile(X.astype(dtype))
    result = module(X.astype(dtype))
    assert isinstance(result, jax.Array)
    equal(result, X.astype(dtype).T)


def test_options_that_are_none():
    with pytest.raises(ValueError, match="target is one of .*cpu.*, not 'tpu'"):
        grout.jax.jit(jnp.sin, target="tpu")
    with pytest.raises(TypeError, match="a function is expected"):
        grout.jax.jit(X)
    with pytest.raises(TypeError, match="fallback"):
        grout.jax.jit(jnp.sin, fallback="jax")
