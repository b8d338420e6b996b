"""Reads [{ source, rules }] on standard input, answers [violation or null] for each: the guard as the kernel calls
it."""

import ast
import json
import sys

sys.path.insert(0, sys.argv[1])
from interpret import guard

answers = []
for case in json.load(sys.stdin):
    tree = ast.parse(case["source"], "main.py")
    answers.append(guard.check(tree, case["rules"], case["source"]))
json.dump(answers, sys.stdout)
