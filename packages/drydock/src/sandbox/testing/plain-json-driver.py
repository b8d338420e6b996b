"""Holds plain_json against the library, and lets a module stand in for one that is not there yet."""

import json
import random
import sys

sys.path.insert(0, sys.argv[1])
import plain_json
from interpret import lazy_module

random.seed(7)


def value(depth):
    kind = random.randrange(9 if depth else 7)
    if kind == 7:
        return [value(depth - 1) for _ in range(random.randrange(5))]
    if kind == 8:
        return {random.choice(["a", "\u00e9", "", "x\ny", "\ud800"]): value(depth - 1) for _ in range(4)}
    return [None, True, -1, 10**30, 1.5e-9, "t\u0000\u20ac\ud800", "\u2028"][kind]


wrong = []
for _ in range(2000):
    v = value(4)
    if plain_json.dumps(v) != json.dumps(v):
        wrong.append(["dumps", repr(v)])
    terse = {"ensure_ascii": False, "allow_nan": False, "separators": (",", ":")}
    if plain_json.dumps(v, **terse) != json.dumps(v, **terse):
        wrong.append(["terse", repr(v)])
    if plain_json.loads(json.dumps(v)) != v:
        wrong.append(["loads", repr(v)])
refused = []
for text in ["", "[1", "{}x", "nope", "[1] [2]", "{'a': 1}"]:
    try:
        plain_json.loads(text)
    except ValueError:
        refused.append(text)
for bad in [float("nan"), {1, 2}]:
    try:
        plain_json.dumps(bad, allow_nan=False)
    except (ValueError, TypeError):
        refused.append(type(bad).__name__)

told = []
sys.modules.pop("linecache", None)
lazy_module.stand_in("linecache", lambda module: told.append(module.__name__))
import linecache  # noqa: E402  (this is what is tried here)

before = (len(told), type(linecache) is type(sys))
line = linecache.getline(linecache.__file__, 1)
print(
    json.dumps(
        {
            "wrong": wrong[:3],
            "refused": refused,
            "before": before,
            "told": told,
            "line": len(line) > 0,
            "module": type(linecache) is type(sys),
        }
    )
)
