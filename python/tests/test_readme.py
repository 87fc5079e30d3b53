"""The README's example runs as it stands there."""

import pathlib
import re

README = pathlib.Path(__file__).parent.parent / "README.md"


def test_the_example(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code = re.search(r"```python\n(.*?)```", README.read_text(), re.S).group(1)
    exec(compile(code, str(README), "exec"), {})
    assert capsys.readouterr().out.startswith("[[2. 2. 2. 2. 2.]")
    assert (tmp_path / "add.svg").read_text().startswith("<svg")
