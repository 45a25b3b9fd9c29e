"""Record golden outputs, or compare with those recorded.

``python -m tests.golden.record`` writes ``golden.json``;
``python -m tests.golden.record --compare`` prints what differs, to the last bit, and
exits with 1 if anything does. Names of cases, or patterns such as "pairs/*", do so for
these only.
"""

import argparse
import fnmatch
import json
import sys
import time
from pathlib import Path

from tests.golden.cases import CASES
from tests.golden.observe import differences, observe

GOLDEN = Path(__file__).with_name("golden.json")


def read():
    """Return what was recorded, by name of the case."""
    return json.loads(GOLDEN.read_text(encoding="utf-8"))


def write(recorded):
    """Write a line for each thing seen, so that a changed one is a changed line."""
    cases = []
    for name, seen in sorted(recorded.items()):
        kinds = []
        for kind, items in seen.items():
            lines = [f"{_json(path)}: {_json(item)}" for path, item in items.items()]
            text = ",\n".join(["", *lines])[1:]
            kinds.append(f'"{kind}": {{{text}}}')
        cases.append(f"{_json(name)}: {{\n" + ",\n".join(kinds) + "}")
    text = "{\n" + ",\n".join(cases) + "}\n"
    GOLDEN.write_text(text, encoding="utf-8")


def _json(item):
    return json.dumps(item, separators=(",", ":"), ensure_ascii=False)


def main(arguments=None):
    """Record or compare, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--times", action="store_true", help="tell the slowest cases")
    parser.add_argument("cases", nargs="*", default=["*"])
    options = parser.parse_args(arguments)
    chosen = [
        name
        for name in CASES
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in options.cases)
    ]
    seen, times = {}, {}
    for name in chosen:
        start = time.perf_counter()
        seen[name] = observe(CASES[name])
        times[name] = time.perf_counter() - start
    if options.times:
        for name in sorted(times, key=times.get)[-15:]:
            print(f"{times[name]:6.2f} s  {name}")
        print(f"{sum(times.values()):6.2f} s  {len(times)} cases")
    if not options.compare:
        kept = {} if options.cases == ["*"] else read()
        write(kept | seen)
        return 0
    recorded, failed = read(), 0
    for name in chosen:
        lines = (
            differences(name, recorded[name], seen[name], bits=True)
            if name in recorded
            else ["is not recorded"]
        )
        failed += bool(lines)
        for line in lines:
            print(f"{name}: {line}")
    if options.cases == ["*"]:
        for name in recorded.keys() - CASES.keys():
            failed += 1
            print(f"{name}: is recorded, but no case any more")
    print(f"{len(chosen) - failed} of {len(chosen)} cases as recorded")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
