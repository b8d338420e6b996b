"""The head of every system call filter: the rules that look at an argument. libseccomp compares all 64 bits of one,
where the kernel reads 32, and needs a rule for each bit then: hundreds of instructions, which the kernel compiles for
each member anew. What is not decided here goes on to libseccomp's part, which follows.

A rule is a list of steps: ("load", position of the argument), ("if", test, value, where to go), ("go", where),
("return", action), ("at", name). A place is a name of the same rule, or REST: libseccomp's part."""

from __future__ import annotations

import errno
import struct

import linux

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from shapes import Step

ALLOW = 0x7FFF0000
REST = "rest"
_LOAD, _JUMP, _RETURN = 0x20, 0x05, 0x06
_TESTS = {"equal": 0x15, "any bit of": 0x45}
_NUMBER, _ARCHITECTURE = 0, 4
_MOST = 255  # how far a test can jump
RLIMIT_CORE = 4


def refuse(number: int) -> int:
    return 0x00050000 | number


# The caller hears that it was done: programs with secrets insist on forbidding core dumps, and they are forbidden.
PRETEND = refuse(0)


def low(position: int) -> int:
    return 16 + 8 * position


def high(position: int) -> int:
    return low(position) + 4


def keep_core_limit() -> list[Step]:
    """setrlimit does not change the limit on core files."""
    return [("load", low(0)), ("if", "equal", RLIMIT_CORE, "core"), ("go", REST), ("at", "core"), ("return", PRETEND)]


def keep_core_limit_of_any() -> list[Step]:
    """Nor does prlimit. Without a new limit it only asks."""
    return [
        ("load", low(1)),
        ("if", "equal", RLIMIT_CORE, "core"),
        ("go", "other"),
        ("at", "core"),
        ("load", low(2)),
        ("if", "equal", 0, "high"),
        ("return", PRETEND),
        ("at", "high"),
        ("load", high(2)),
        ("if", "equal", 0, "other"),
        ("return", PRETEND),
        ("at", "other"),
    ]


def allow_unless(position: int, values: Iterable[int], otherwise: int = errno.EPERM) -> list[Step]:
    return [
        ("load", low(position)),
        *[("if", "equal", value, "refused") for value in values],
        ("return", ALLOW),
        ("at", "refused"),
        ("return", refuse(otherwise)),
    ]


def allow_unless_any_bit(position: int, bits: int) -> list[Step]:
    return [
        ("load", low(position)),
        ("if", "any bit of", bits, "refused"),
        ("return", ALLOW),
        ("at", "refused"),
        ("return", refuse(errno.EPERM)),
    ]


def only_if(position: int, value: int, steps: list[Step]) -> list[Step]:
    """Whatever else it is goes on to libseccomp's part."""
    return [("load", low(position)), ("if", "equal", value, "so"), ("go", REST), ("at", "so"), *steps]


def allow_sockets(unix: int, internet: Iterable[int], protocols: Iterable[int]) -> list[Step]:
    return [
        ("load", low(0)),
        ("if", "equal", unix, "allowed"),
        *[("if", "equal", each, "internet") for each in internet],
        ("return", refuse(errno.EAFNOSUPPORT)),
        ("at", "internet"),
        ("load", low(2)),
        *[("if", "equal", each, "allowed") for each in protocols],
        ("return", refuse(errno.EPROTONOSUPPORT)),
        ("at", "allowed"),
        ("return", ALLOW),
    ]


def refuse_options(options: Mapping[int, Iterable[int]]) -> list[Step]:
    """setsockopt, by level and option. All others go on to libseccomp's part."""
    steps: list[Step] = [("load", low(1)), *[("if", "equal", level, "level %d" % level) for level in options]]
    steps.append(("go", REST))
    for level, refused in options.items():
        steps += [("at", "level %d" % level), ("load", low(2))]
        steps += [("if", "equal", each, "refused") for each in refused]
        steps.append(("go", REST))
    return [*steps, ("at", "refused"), ("return", refuse(errno.ENOPROTOOPT))]


def assemble(rules: list[tuple[int, list[Step]]]) -> bytes:
    """`rules` is a list of (number of the system call, steps)."""
    instructions = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_TESTS["equal"], 1, 0, linux.AUDIT_ARCHITECTURES.get(linux.MACHINE, 0)),
        (_JUMP, 0, 0, REST),
        (_LOAD, 0, 0, _NUMBER),
    ]
    for number, steps in rules:
        rule = _assemble_rule(steps)
        # A test jumps 255 instructions at most, an unconditional jump as far as it likes.
        instructions += [(_TESTS["equal"], 1, 0, number), (_JUMP, 0, 0, len(rule)), *rule]
    end = len(instructions)
    resolved = [
        (code, yes, no, end - at - 1 if value == REST else value)
        for at, (code, yes, no, value) in enumerate(instructions)
    ]
    return b"".join(struct.pack("HBBI", *each) for each in resolved)


def _assemble_rule(steps: list[Step]) -> list[Step]:
    steps = [*steps, ("go", REST)] if steps[-1][0] == "at" else steps
    places, at = {}, 0
    for step in steps:
        if step[0] == "at":
            places[step[1]] = at
        else:
            at += 1
    made = []
    for step in steps:
        if step[0] == "load":
            made.append((_LOAD, 0, 0, step[1]))
        elif step[0] == "return":
            made.append((_RETURN, 0, 0, step[1]))
        elif step[0] == "go":
            made.append((_JUMP, 0, 0, REST if step[1] == REST else places[step[1]] - len(made) - 1))
        elif step[0] == "if":
            distance = places[step[3]] - len(made) - 1
            if not 0 <= distance <= _MOST:
                raise ValueError("a rule of the filter jumps %d instructions" % distance)
            made.append((_TESTS[step[1]], distance, 0, step[2]))
    return made
