"""The head of every system call filter: what libseccomp would need a thousand rules for. It looks at 32 bits of an argument, as the
kernel does, and lets everything else go on to the rest of the filter, which follows it."""
import struct

import linux

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_SETRLIMIT, _PRLIMIT = {"x86_64": (160, 302), "aarch64": (164, 261)}.get(linux.MACHINE, (0, 0))
_RLIMIT_CORE = 4
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
# The caller hears that it was done: programs with secrets insist on forbidding core dumps, and they are forbidden.
_PRETEND = 0x00050000


def _argument(position, high=False):
    return 16 + 8 * position + (4 if high else 0)


def keep_core_limit():
    """No call changes the limit on core files."""
    instructions = (
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 0, 12, _ARCHITECTURES.get(linux.MACHINE, 0)),
        (_LOAD, 0, 0, _NUMBER),
        (_EQUAL, 7, 0, _SETRLIMIT),
        (_EQUAL, 0, 9, _PRLIMIT),
        (_LOAD, 0, 0, _argument(2)),
        (_EQUAL, 0, 2, 0),
        (_LOAD, 0, 0, _argument(2, high=True)),
        (_EQUAL, 5, 0, 0),  # no new limit: it only asks
        (_LOAD, 0, 0, _argument(1)),
        (_EQUAL, 2, 3, _RLIMIT_CORE),
        (_LOAD, 0, 0, _argument(0)),
        (_EQUAL, 0, 1, _RLIMIT_CORE),
        (_RETURN, 0, 0, _PRETEND),
    )
    return b"".join(struct.pack("HBBI", *each) for each in instructions)
