"""Modules that most programs never ask for are made when somebody does."""

from __future__ import annotations

import sys
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any


class _Later(types.ModuleType):
    """Stands for a module of the standard library until an attribute is used that only the module itself has."""

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":
            raise AttributeError(name)
        then = self.__dict__.pop("_then")
        module: Any = self
        module.__class__ = types.ModuleType
        module.__spec__.loader.exec_module(self)
        then(self)
        return getattr(self, name)


def stand_in(name: str, then: Callable[[ModuleType], None]) -> None:
    """Puts one in the place of a module; `then` is called with the module once it is there."""
    spec: Any = sys.modules["_frozen_importlib_external"].PathFinder.find_spec(name)
    module: Any = _Later(name)
    module.__spec__, module.__loader__, module.__package__ = spec, spec.loader, spec.parent
    module.__file__, module.__cached__ = spec.origin, spec.cached
    module.__dict__["_then"] = then
    sys.modules[name] = module
