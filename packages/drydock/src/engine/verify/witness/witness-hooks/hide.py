"""Comes before each driver, as text: processes of the same user can't read its memory or descriptors, and with them the marker."""
import ctypes


def hide():
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(4, 0, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the driver of a check can't hide its memory")


hide()
