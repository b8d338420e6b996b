"""Reads cases as JSON, [name of a system call or its number, arguments] each, and answers what the filter decides:
executes its instructions as the kernel does. The first word says which filter."""

from __future__ import annotations

import ctypes
import errno
import json
import struct
import sys
import tempfile

sys.path.insert(0, sys.argv[1])
import linux
from contain import landlock_filter, seccomp

FILTERS = {
    "groups": lambda: seccomp.Filter(True, tempfile.mkdtemp()),
    "no groups": lambda: seccomp.Filter(False, tempfile.mkdtemp()),
    "landlock": lambda: landlock_filter.LandlockFilter(False),
}


def decide(instructions: list[tuple[int, int, int, int]], data: bytes) -> int:
    accumulator, at = 0, 0
    while True:
        code, yes, no, value = instructions[at]
        at += 1
        if code == 0x20:
            accumulator = struct.unpack_from("I", data, value)[0]
        elif code == 0x06:
            return value
        elif code == 0x05:
            at += value
        elif code == 0x54:
            accumulator &= value
        else:
            true = {
                0x15: accumulator == value,
                0x25: accumulator > value,
                0x35: accumulator >= value,
                0x45: bool(accumulator & value),
            }[code]
            at += yes if true else no


def name_action(action: int) -> str:
    kind, number = action & 0xFFFF0000, action & 0xFFFF
    if kind == 0x00050000:
        return errno.errorcode.get(number, "pretend")
    return {0x7FFF0000: "allow", 0x80000000: "kill"}[kind]


made = FILTERS[sys.argv[2]]()
code = ctypes.string_at(made.program.filter, made.program.length * 8)
instructions = list(struct.iter_unpack("HBBI", code))
library = ctypes.CDLL("libseccomp.so.2")
answers = []
for case in json.load(sys.stdin):
    name, arguments, *rest = case
    number = library.seccomp_syscall_resolve_name(name.encode()) if isinstance(name, str) else name
    if number < 0:
        answers.append("absent")
        continue
    architecture = rest[0] if rest else linux.AUDIT_ARCHITECTURES[linux.MACHINE]
    words = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    answers.append(name_action(decide(instructions, struct.pack("iIQ6Q", number, architecture, 0, *words))))
print(
    json.dumps(
        {"answers": answers, "length": len(instructions), "allowed": seccomp.ALLOWED, "refused": seccomp.REFUSED}
    )
)
