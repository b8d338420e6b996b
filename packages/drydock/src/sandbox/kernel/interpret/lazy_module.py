"""Modules that most programs never ask for are made when somebody does."""

import sys
import types


class _Later(types.ModuleType):
    """Stands for a module of the standard library until it is asked for something that only the module itself has."""

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        then = self.__dict__.pop("_then")
        self.__class__ = types.ModuleType
        self.__spec__.loader.exec_module(self)
        then(self)
        return getattr(self, name)


def stand_in(name, then):
    """Puts one in the place of a module; `then` is called with the module once it is there."""
    spec = sys.modules["_frozen_importlib_external"].PathFinder.find_spec(name)
    module = _Later(name)
    module.__spec__, module.__loader__, module.__package__ = spec, spec.loader, spec.parent
    module.__file__, module.__cached__ = spec.origin, spec.cached
    module.__dict__["_then"] = then
    sys.modules[name] = module
