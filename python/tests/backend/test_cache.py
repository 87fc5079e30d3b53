"""Compiled partitions on disk."""

import os
import signal
import subprocess
import sys

import pytest
import torch
from checking import error

from grout._cache import Cache, Refusal
from grout.torch.compilation import artifacts


def function(x, w):
    return torch.tanh(x @ w)


ARGS = (
    torch.linspace(-1, 1, 24).view(4, 6),
    torch.linspace(0, 1, 30).view(6, 5),
)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "entries"


def run(folder):
    """Compiles anew, but for what is in the folder."""
    artifacts._known.clear()
    torch._dynamo.reset()
    result = torch.compile(
        function,
        backend="grout",
        options={"fallback": "error", "cache_dir": folder},
    )(*ARGS)
    assert error(result, function(*ARGS)) < 1e-6


@pytest.fixture
def importer(monkeypatch):
    """How often something is imported."""
    original, calls = artifacts.importing.import_graph, []

    def count(graph):
        calls.append(graph)
        return original(graph)

    monkeypatch.setattr(artifacts.importing, "import_graph", count)
    return calls


def test_second_process_needs_no_importer(folder, importer):
    run(folder)
    assert len(importer) == 1
    run(folder)
    assert len(importer) == 1
    assert [path.suffix for path in folder.iterdir()] == [".grout"]


def test_process_without_importer_and_compiler(folder):
    program = """
import sys, torch
sys.modules["torch_mlir"] = None
import grout.torch, grout._libraries
def compiler(): raise AssertionError("the compiler is loaded")
grout._libraries.compiler = compiler
x = torch.linspace(-1, 1, 24).view(4, 6)
w = torch.linspace(0, 1, 30).view(6, 5)
y = torch.compile(lambda x, w: torch.tanh(x @ w), backend="grout",
                  options={"fallback": "error", "cache_dir": sys.argv[1]})(x, w)
assert (y - torch.tanh(x @ w)).abs().max() < 1e-6
"""
    run(folder)
    subprocess.run([sys.executable, "-c", program, folder], check=True)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:100],
        lambda data: b"",
        lambda data: b"x" * len(data),
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    ],
    ids=["cut", "empty", "other", "flipped"],
)
def test_damaged_entries_are_compiled_again(folder, importer, damage):
    run(folder)
    entry = next(folder.iterdir())
    data = entry.read_bytes()
    entry.write_bytes(damage(data))
    run(folder)
    if damage(data)[:-1] != data[:-1]:
        assert len(importer) == 2
        assert entry.read_bytes() == data


def test_killed_while_an_entry_is_written(tmp_path, importer):
    """At either of two calls, in processes that are forked from one."""
    program = """
import os, signal, sys, torch
import grout.torch
for call, folder in zip(("fsync", "replace"), sys.argv[1:], strict=True):
    child = os.fork()
    if not child:
        setattr(os, call, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        torch.compile(lambda x, w: torch.tanh(x @ w), backend="grout", options={
            "fallback": "error", "cache_dir": folder})(torch.ones(4, 6),
                                                       torch.ones(6, 5))
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    folders = [tmp_path / "first", tmp_path / "second"]
    ran = subprocess.run(
        [sys.executable, "-c", program, *folders],
        check=True,
        text=True,
        capture_output=True,
    )
    assert ran.stdout.split() == [str(-signal.SIGKILL)] * 2, ran.stderr
    for number, folder in enumerate(folders):
        assert not [path for path in folder.iterdir() if path.suffix]
        for _ in range(2):
            run(folder)
            assert len(importer) == number + 1


def test_entry_of_another_program(folder, importer):
    run(folder)
    entry = next(folder.iterdir())
    other = artifacts.compiling.compile("""
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %y = linalg.exp ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>)
      -> tensor<3xf32>
  return %y : tensor<3xf32>
}""")
    entry.write_bytes(other.artifact)
    run(folder)
    assert len(importer) == 2


@pytest.mark.parametrize("what", ["folder", "entry"])
def test_what_others_can_write_is_not_read(folder, importer, what, caplog):
    run(folder)
    (folder if what == "folder" else next(folder.iterdir())).chmod(0o777)
    run(folder)
    assert len(importer) == 2
    assert "can be written by others" in caplog.text


def test_folder_that_cannot_be_made(tmp_path, importer, caplog):
    (tmp_path / "file").touch()
    run(tmp_path / "file" / "cache")
    assert len(importer) == 1
    assert "the cache is not used" in caplog.text


@pytest.mark.skipif(
    not os.path.exists("/dev/full") or os.geteuid() != 0,
    reason="mounting a small file system needs root",
)
def test_full_disk(folder, importer, caplog):
    folder.mkdir(mode=0o700)
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4k,mode=700", "none", folder],
        capture_output=True,
    )
    if mount.returncode:
        pytest.skip("a file system cannot be mounted here")
    try:
        run(folder)
        assert not list(folder.iterdir())
        assert "the cache is not used" in caplog.text
    finally:
        subprocess.run(["umount", folder], check=True)


def test_refusals_are_kept(folder):
    cache = Cache(folder)
    cache.store("key", Refusal("because", [1, 2]))
    found = Cache(folder).load("key")
    assert isinstance(found, Refusal)
    assert (found.reason, found.nodes) == ("because", [1, 2])
    (folder / "key.json").write_text("[]")
    assert Cache(folder).load("key") is None
