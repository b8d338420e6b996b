import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

type Case = [call: string | number, arguments_: (number | string)[], architecture?: number];
interface Decided {
  answers: string[];
  length: number;
  allowed: string[];
  refused: string[];
}

/** What the filter answers, by executing its instructions as the kernel does. */
function decide(filter: "groups" | "no groups" | "landlock", cases: Case[]): Decided {
  const input = JSON.stringify(cases).replaceAll(/"#(\d+)"/g, "$1");
  const options = { input, encoding: "utf8", maxBuffer: 1 << 26 } as const;
  const run = spawnSync(
    "/usr/bin/python3",
    [join(import.meta.dirname, "test_filter.py"), join(import.meta.dirname, ".."), filter],
    options,
  );
  expect(run.stderr).toBe("");
  return JSON.parse(run.stdout) as Decided;
}

/** A 64-bit argument of which the upper half is not zero: the kernel does not look at it where it wants an int. */
const wide = (value: number) => `#${(1n << 40n) + BigInt(value)}`;

describe("the system call filter", () => {
  test("refuses options of sockets that outlive the socket, and no others", () => {
    const lasting = [
      [0, 35],
      [0, 39],
      [0, 42],
      [0, 46],
      [41, 20],
      [41, 27],
      [41, 42],
      [41, 46],
      [6, 23],
      [6, 33],
    ];
    const usual = [
      [1, 2],
      [1, 35],
      [0, 1],
      [0, 34],
      [41, 26],
      [6, 1],
      [6, 9],
    ];
    const ask = (options: number[][]) =>
      decide(
        "groups",
        options.map(([level = 0, option = 0]): Case => ["setsockopt", [3, level, option]]),
      ).answers;
    expect(new Set(ask(lasting))).toEqual(new Set(["ENOPROTOOPT"]));
    expect(new Set(ask(usual))).toEqual(new Set(["allow"]));
    expect(decide("groups", [["setsockopt", [3, wide(0), wide(35)]]]).answers).toEqual(["ENOPROTOOPT"]);
  });

  test("allows what is on the list, refuses what is an attack, and knows nothing else", () => {
    const { allowed, refused } = decide("groups", []);
    const named = new Set([...allowed, ...refused]);
    expect(named.size).toBe(allowed.length + refused.length);
    const { answers } = decide("groups", [
      ...allowed.map((name): Case => [name, []]),
      ...refused.map((name): Case => [name, []]),
    ]);
    // What this architecture does not have can't be called by its name.
    const known = (some: string[]) => new Set(some.filter((answer) => answer !== "absent"));
    expect(known(answers.slice(0, allowed.length))).toEqual(new Set(["allow"]));
    expect(known(answers.slice(allowed.length))).toEqual(new Set(["EPERM"]));
    const essential: Case[] = ["read", "write", "openat", "futex", "execve", "exit_group", "mmap"].map((name) => [
      name,
      [],
    ]);
    expect(new Set(decide("groups", essential).answers)).toEqual(new Set(["allow"]));
    expect(
      decide("groups", [
        ["mount", []],
        ["ptrace", []],
        ["clone3", []],
        [9999, []],
      ]).answers,
    ).toEqual(["EPERM", "EPERM", "ENOSYS", "ENOSYS"]);
  });

  test("ends who calls in the name of another architecture, or of one with other numbers", () => {
    const i386 = 0x40000003;
    expect(
      decide("groups", [
        ["getpid", [], i386],
        [0x40000000, []],
        [0x40000000 + 39, []],
      ]).answers,
    ).toEqual(["kill", "kill", "kill"]);
  });

  test("keeps processes readable where nobody else counts what they hold", () => {
    const cases: Case[] = [
      ["prctl", [4, 0]],
      ["prctl", [wide(4), 0]],
      ["prctl", [15, 0]],
    ];
    expect(decide("landlock", cases).answers).toEqual(["pretend", "pretend", "allow"]);
    expect(decide("groups", cases).answers).toEqual(["allow", "allow", "allow"]);
  });

  test.each(["groups", "no groups", "landlock"] as const)(
    "(%s) makes no namespaces, types into no terminal, keeps the limit on core files",
    (filter) => {
      const namespaces = [0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000];
      const cases: [string, Case][] = [
        ...namespaces.flatMap((flag): [string, Case][] => [
          ["EPERM", ["clone", [flag | 17]]],
          ["EPERM", ["clone", [wide(flag)]]],
        ]),
        ["allow", ["clone", [0x1200011]]],
        ["allow", ["clone", [0x3d0f00]]],
        ["EPERM", ["ioctl", [0, 0x5412]]],
        ["EPERM", ["ioctl", [0, wide(0x5412)]]],
        ["EPERM", ["ioctl", [0, 0x541c]]],
        ["EPERM", ["ioctl", [0, 0x5423]]],
        ["allow", ["ioctl", [0, 0x5401]]],
        ["pretend", ["setrlimit", [4, 1]]],
        ["pretend", ["setrlimit", [wide(4), 1]]],
        ["allow", ["setrlimit", [7, 1]]],
        ["pretend", ["prlimit64", [0, 4, 1]]],
        ["pretend", ["prlimit64", [0, 4, wide(0)]]],
        ["pretend", ["prlimit64", [1, wide(4), 1]]],
        ["allow", ["prlimit64", [0, 4, 0]]],
        ["allow", ["prlimit64", [0, 7, 1]]],
      ];
      expect(
        decide(
          filter,
          cases.map(([, each]) => each),
        ).answers,
      ).toEqual(cases.map(([answer]) => answer));
    },
  );

  test("leaves pid 1 alone, and opens sockets of known families and protocols only", () => {
    const onWarden = ["prlimit64", "sched_setaffinity", "sched_setattr", "sched_setparam", "sched_setscheduler"];
    const cases: [string, Case][] = [
      ...onWarden.flatMap((name): [string, Case][] => [
        ["EPERM", [name, [1]]],
        ["EPERM", [name, [wide(1)]]],
        ["allow", [name, [0]]],
        ["allow", [name, [2]]],
      ]),
      ["EPERM", ["setpriority", [0, 1]]],
      ["EPERM", ["setpriority", [wide(0), wide(1)]]],
      ["allow", ["setpriority", [0, 0]]],
      ["ENOSYS", ["setpriority", [1, 1]]],
      ["ENOSYS", ["setpriority", [2, 0]]],
      ["allow", ["socket", [1, 1, 0]]],
      ...[2, 10].flatMap((family): [string, Case][] => [
        ["allow", ["socket", [family, 1, 0]]],
        ["allow", ["socket", [family, 1, 6]]],
        ["allow", ["socket", [family, 2, 17]]],
        ["EPROTONOSUPPORT", ["socket", [family, 1, 262]]],
        ["EPROTONOSUPPORT", ["socket", [family, 2, 136]]],
        ["EPROTONOSUPPORT", ["socket", [family, 1, wide(1)]]],
      ]),
      ...[0, 3, 16, 17, 38, 40, 44, 47, 200].map((family): [string, Case] => [
        "EAFNOSUPPORT",
        ["socket", [family, 3, 0]],
      ]),
      ["EAFNOSUPPORT", ["socket", [wide(16), 3, 0]]],
    ];
    expect(
      decide(
        "groups",
        cases.map(([, each]) => each),
      ).answers,
    ).toEqual(cases.map(([answer]) => answer));
  });

  test("is short: the kernel compiles it for each member anew", () => {
    expect(decide("groups", []).length).toBeLessThan(600);
  });
});
