"""What README.md shows is what happens."""

import contextlib
import io
import re
from pathlib import Path

README = (Path(__file__).parents[2] / "README.md").read_text()


def test_the_first_example_prints_its_output():
    code, expected = re.search(
        r"```python\n(.*?)```\n\n```text\n(.*?)```", README, re.S
    ).groups()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, {})
    assert printed.getvalue() == expected
    assert len(code.strip().splitlines()) <= 10
