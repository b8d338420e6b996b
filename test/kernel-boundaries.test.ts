import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findKernelViolations } from "./boundaries/find-kernel-violations.ts";

const root = join(import.meta.dirname, "..");
const kernel = "packages/drydock/src/sandbox/kernel";

function readKernel() {
  return readdirSync(join(root, kernel), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".py"))
    .map((name) => ({ path: `${kernel}/${name}`, text: readFileSync(join(root, kernel, name), "utf8") }));
}

describe("the import graph of the kernel part", () => {
  it("goes downward only", () => {
    const files = readKernel();
    expect(files.map(({ path }) => path)).toContain(`${kernel}/contain/__init__.py`);
    expect(findKernelViolations(files)).toEqual([]);
  });
});

describe("the check of the kernel part", () => {
  const planted: [name: string, path: string, text: string, problem: string][] = [
    ["a lower package that imports a higher one", "contain/a.py", "from attend import warden", "lies below"],
    ["a member of a module", "files/a.py", "from attend.warden import judge", "lies below"],
    ["a lazy import", "interpret/a.py", "    import attend.warden", "lies below"],
    ["the second of two", "contain/a.py", "import os, files.broker", "lies below"],
    ["neighbours on one level", "interpret/a.py", "from files import capture", "on one level"],
    ["a package that imports a program", "attend/a.py", "import fork_server", "is a program"],
    ["the ground that imports a package", "linux.py", "from contain import seccomp", "lies below"],
    ["a way around the names", "contain/a.py", "from ..attend import warden", "named in full"],
    ["an unknown package", "other/a.py", "", "no place"],
    ["an unknown module beside the packages", "other.py", "", "no place"],
  ];

  it.each(planted)("finds %s", (_name, path, text, problem) => {
    expect(findKernelViolations([{ path: `${kernel}/${path}`, text }])).toEqual([
      expect.stringMatching(new RegExp(`^${kernel}/${path}:1: .*${problem}`)),
    ]);
  });

  it("finds a crowded package", () => {
    const files = Array.from({ length: 26 }, (_, number) => ({ path: `${kernel}/files/m${number}.py`, text: "" }));
    expect(findKernelViolations(files)).toEqual([`${kernel}/files: 26 files`]);
  });

  const allowed: [name: string, path: string, text: string][] = [
    ["a higher package that uses a lower one", "attend/a.py", "from contain import steps"],
    ["modules of one package", "files/a.py", "from files import capture"],
    ["a program that imports a package", "fork_server.py", "from attend import session"],
    ["the ground", "contain/a.py", "import linux"],
    ["the standard library", "linux.py", "import os"],
    ["what only a string says", "contain/a.py", '"""\nimport attend\n"""'],
  ];

  it.each(allowed)("lets %s pass", (_name, path, text) => {
    expect(findKernelViolations([{ path: `${kernel}/${path}`, text }])).toEqual([]);
  });
});
