"""What strings of a program say that will be read as code, or as the name of something."""

from __future__ import annotations

import re

# Compiled, and kept, by `re` when they are first used.
_DUNDER = r"__[A-Za-z0-9_]+?__"
_PATH = r"[\w.\[\]]+"
_REACHING_QUERY = r"__|\b_*(?:os|sys|subprocess|builtins|importlib|pickle)\s*\."


def dunder_names(text: str) -> list[str]:
    """In a template, or in what may be a path to an attribute."""
    return re.findall(_DUNDER, text) if "{" in text or re.fullmatch(_PATH, text) else []


def is_reaching_query(text: str) -> bool:
    """A table's query can call what its names lead to."""
    return re.search(_REACHING_QUERY, text) is not None
