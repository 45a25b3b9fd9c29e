"""Errors of any kind end a command in one line."""

import pytest

from skcompare.cli import main
from skcompare.cli._commands import COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unexpected_error_has_status_2(capsys, monkeypatch, command):
    def fail(_):
        raise RuntimeError("`n_jobs` broke.")

    failing = COMMANDS[command]._replace(run=fail)
    monkeypatch.setitem(COMMANDS, command, failing)
    assert main([command] if command == "demo" else [command, "t.csv"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "skcompare: error: RuntimeError: --jobs broke\n"
