"""Errors of any kind end a command in one line."""

import pytest

from skcompare.cli import main
from skcompare.cli._commands import COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_an_error_of_no_known_kind_ends_with_2_too(capsys, monkeypatch, command):
    def fail(_):
        raise RuntimeError("`n_jobs` broke.")

    failing = COMMANDS[command]._replace(run=fail)
    monkeypatch.setitem(COMMANDS, command, failing)
    assert main([command] if command == "demo" else [command, "t.csv"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "skcompare: error: RuntimeError: --jobs broke\n"
