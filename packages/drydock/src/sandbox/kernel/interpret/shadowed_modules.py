"""Modules that the fork server has imported already, and that the program has itself: a `json.py` beside a script is
what its `import json` finds, as with an interpreter that has just started."""

from __future__ import annotations

import _imp
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

# What every interpreter has imported before it looks beside the script: nothing there takes its place.
at_start = frozenset(sys.modules)
_SUFFIXES = (".py", ".pyc", *_imp.extension_suffixes())


def imported() -> list[str]:
    """Top modules that this process has beyond those, and that others can take the place of."""
    return [
        name
        for name in sys.modules
        if "." not in name and name not in at_start and not _imp.is_builtin(name) and not _imp.is_frozen(name)
    ]


def give_way(directories: Sequence[str]) -> None:
    """Forgets what was imported in place of modules that lie in these directories, and what the standard library made
    of it."""
    names = {name for directory in directories for name in _list(directory)}
    if not names:
        return
    hidden = {name for name in imported() if _has(directories, names, name)}
    while hidden:
        gone = [(name, sys.modules.pop(name)) for name in list(sys.modules) if name.partition(".")[0] in hidden]
        hidden = _users({id(module) for _, module in gone}, {name for name, _ in gone}, _is_foreign(gone))


def hide(directory: str) -> list[ModuleType]:
    """Modules that were imported from here stay alive, as they are returned, and out of the way: a user's own `session`
    or `workspace` is what `import` finds."""
    hidden = [
        sys.modules.pop(name)
        for name, module in list(sys.modules.items())
        if name != "__main__" and (getattr(module, "__file__", None) or "").startswith(directory + os.sep)
    ]
    sys.path[:] = [path for path in sys.path if path != directory]
    for path in [path for path in sys.path_importer_cache if path.startswith(directory)]:
        del sys.path_importer_cache[path]
    return hidden


def _list(directory: str) -> list[str]:
    try:
        return os.listdir(directory or ".")
    except OSError:
        return []


def _has(directories: Sequence[str], names: set[str], name: str) -> bool:
    if any(name + suffix in names for suffix in _SUFFIXES):
        return True
    # A directory is a module of its own only where it says so.
    return name in names and any(
        os.path.exists(os.path.join(each, name, "__init__" + suffix)) for each in directories for suffix in _SUFFIXES
    )


def _users(gone: set[int], names: set[str], foreign: bool) -> set[str]:
    """Top modules that hold one that is gone, or something of it. Packages with parts in C can't be imported twice:
    they stay as they are, unless it is one of them that is gone."""
    found = set()
    for name, module in list(sys.modules.items()):
        top = name.partition(".")[0]
        if top in at_start or top in found or _imp.is_builtin(top) or not (foreign or _is_standard(module)):
            continue
        if any(
            id(value) in gone or getattr(value, "__module__", None) in names for value in list(vars(module).values())
        ):
            found.add(top)
    return found


def _is_standard(module: ModuleType) -> bool:
    path = getattr(module, "__file__", None) or ""
    return path.startswith(os.path.dirname(os.__file__) + os.sep) and "-packages" not in path


def _is_foreign(gone: list[tuple[str, ModuleType]]) -> bool:
    return any(not _is_standard(module) for _, module in gone)
