"""Comes before each driver, as text: processes of the same user can't read its memory or descriptors, and with them the
marker."""

import _ctypes  # without the rest of ctypes, which takes longer to load than the driver takes to run


def set_visible(value):
    prctl = _ctypes.dlsym(_ctypes.dlopen(None, 0), "prctl")
    if _ctypes.call_function(prctl, (4, value, 0, 0, 0)) != 0:
        raise OSError("the driver of a check can't hide its memory")


set_visible(0)
