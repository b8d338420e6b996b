import { beforeAll, describe, expect, it } from "vitest";
import { runPython } from "../../testing/run-python.ts";
import { ACCEPTED_PROGRAMS } from "./testing/accepted-programs.ts";
import { ESCAPES, PLAINLY_REFUSED } from "./testing/refused-programs.ts";

interface Rules {
  mode: string;
  allow?: string[];
  block?: string[];
  calls?: string[];
}
interface Violation {
  code: string;
  name: string;
  line: number;
  column: number;
  what: string;
  reason: string;
  advice: string;
}
interface Case {
  source: string;
  rules: Rules;
}

const STRICT: Rules = { mode: "strict", allow: [], block: [], calls: [] };
const open = (rules: Omit<Rules, "mode">): Rules => ({ mode: "open", allow: [], block: [], calls: [], ...rules });

/** Takes the mark out of a program, and tells where it stood. */
function unmark(source: string) {
  const before = source.split("«")[0] ?? "";
  const lines = before.split("\n");
  return { source: source.replace("«", ""), line: lines.length, column: [...(lines.at(-1) ?? "")].length + 1 };
}

const configured: { title: string; rules: Rules; source: string; refused: string | null }[] = [
  {
    title: "open without lists refuses nothing",
    rules: open({}),
    source: "import os; eval('1'); ().__class__",
    refused: null,
  },
  {
    title: "off refuses nothing",
    rules: { ...STRICT, mode: "off", block: ["os"] },
    source: "import os",
    refused: null,
  },
  {
    title: "open refuses what the policy blocks",
    rules: open({ block: ["os"] }),
    source: "import math\nimport «os",
    refused: "os",
  },
  {
    title: "open refuses a submodule of it",
    rules: open({ block: ["os"] }),
    source: "import «os.path as p",
    refused: "os",
  },
  {
    title: "open refuses it where another module carries it",
    rules: open({ block: ["os"] }),
    source: "import pathlib\npathlib.«os",
    refused: "pathlib.os",
  },
  {
    title: "open refuses it in import_module",
    rules: open({ block: ["os"] }),
    source: "import importlib\nimportlib.import_module(«'os')",
    refused: "os",
  },
  {
    title: "open refuses it in __import__",
    rules: open({ block: ["os"] }),
    source: "__import__(«'os')",
    refused: "os",
  },
  {
    title: "open blocks one submodule alone",
    rules: open({ block: ["os.path"] }),
    source: "import os\nprint(os.sep)\nfrom os import «path",
    refused: "os.path",
  },
  {
    title: "open with an allow list refuses the rest",
    rules: open({ allow: ["math"] }),
    source: "import math\nimport «json",
    refused: "json",
  },
  {
    title: "open with an allow list admits what it names",
    rules: open({ allow: ["math", "os.path"] }),
    source: "from __future__ import annotations\nimport math\nfrom os import path\nimport os.path",
    refused: null,
  },
  {
    title: "block wins over allow",
    rules: open({ allow: ["os"], block: ["os"] }),
    source: "import «os",
    refused: "os",
  },
  {
    title: "open refuses a call that the policy blocks",
    rules: open({ calls: ["eval"] }),
    source: "x = «eval('1')",
    refused: "eval",
  },
  {
    title: "open refuses a dotted call",
    rules: open({ calls: ["os.system"] }),
    source: "import os as o\no.«system('id')",
    refused: "os.system",
  },
  {
    title: "open refuses a dotted call imported by name",
    rules: open({ calls: ["os.system"] }),
    source: "from os import «system",
    refused: "os.system",
  },
  {
    title: "open finds a blocked call behind builtins",
    rules: open({ calls: ["eval"] }),
    source: "import builtins\nbuiltins.«eval('1')",
    refused: "eval",
  },
  {
    title: "strict admits what the policy adds",
    rules: { ...STRICT, allow: ["paramiko"] },
    source: "import paramiko.client",
    refused: null,
  },
  {
    title: "strict understands the name of a distribution",
    rules: { ...STRICT, allow: ["opencv-python"] },
    source: "import cv2",
    refused: null,
  },
  {
    title: "strict's own blocks can't be allowed away",
    rules: { ...STRICT, allow: ["os"] },
    source: "import «os",
    refused: "os",
  },
  {
    title: "strict refuses what the policy blocks besides",
    rules: { ...STRICT, block: ["requests"] },
    source: "import «requests",
    refused: "requests",
  },
  {
    title: "strict refuses calls that the policy blocks besides",
    rules: { ...STRICT, calls: ["print"] },
    source: "«print(1)",
    refused: "print",
  },
  { title: "an unknown mode refuses everything", rules: { mode: "lenient" }, source: "«x = 1", refused: "" },
  {
    title: "a tree of a thousand levels is checked",
    rules: STRICT,
    source: `x = ${"1 + ".repeat(900)}«eval('1')`,
    refused: "eval",
  },
  {
    title: "a wide program is checked to its end",
    rules: STRICT,
    source: `${"x = [1, 2, 3]\n".repeat(20_000)}«exec('1')`,
    refused: "exec",
  },
];

describe("the Python guard", () => {
  const answers = new Map<string, Violation | null>();
  const key = (test: Case) => JSON.stringify([test.source, test.rules]);

  beforeAll(async () => {
    const cases: Case[] = [
      ...[...PLAINLY_REFUSED, ...ESCAPES].map(({ source }) => ({ source: unmark(source).source, rules: STRICT })),
      ...Object.values(ACCEPTED_PROGRAMS).map((source) => ({ source, rules: STRICT })),
      ...configured.map(({ source, rules }) => ({ source: unmark(source).source, rules })),
    ];
    const found = await runPython<(Violation | null)[]>("guard-driver.py", cases);
    cases.forEach((test, index) => {
      answers.set(key(test), found[index] ?? null);
    });
  });

  const answer = (source: string, rules: Rules = STRICT) => answers.get(key({ source, rules }));

  for (const [group, programs] of [
    ["plainly", PLAINLY_REFUSED],
    ["as an escape", ESCAPES],
  ] as const) {
    it.each(programs)(`refuses ${group}: $title`, (program) => {
      const { source, line, column } = unmark(program.source);
      const { code, name } = program;
      expect(answer(source)).toMatchObject({ code, name, line, column });
    });
  }

  it.each(Object.entries(ACCEPTED_PROGRAMS))("accepts %s under strict", (_title, source) => {
    expect(answer(source)).toBeNull();
  });

  it.each(configured)("$title", ({ source: marked, rules, refused }) => {
    const { source, line, column } = unmark(marked);
    if (refused === null) expect(answer(source, rules)).toBeNull();
    else expect(answer(source, rules)).toMatchObject({ name: refused, line, column });
  });

  it("tells facts, which the host words", () => {
    const place = { line: 1, column: 8, code: "policy.import_denied", what: "importing" };
    expect(answer("import os")).toEqual({ ...place, name: "os", reason: "os", advice: "never" });
    expect(answer("import paramiko")).toMatchObject({ name: "paramiko", advice: "add" });
    expect(answer("import math\nimport json", open({ allow: ["math"] }))).toMatchObject({ advice: "add" });
    expect(answer("import math\nimport os", open({ block: ["os"] }))).toMatchObject({ advice: "block" });
    expect(answer("print(1)", { ...STRICT, calls: ["print"] })).toMatchObject({ what: "calling", advice: "lift" });
  });
});
