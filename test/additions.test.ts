import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BLOCKED_DELIVERY_CODE } from "./additions/blocked-delivery-code.ts";
import { copyRepository, type Insertion, type RepositoryCopy } from "./additions/copy-repository.ts";
import { COPYING_BACKEND } from "./additions/copying-backend.ts";
import { FILE_SIZE_LIMIT } from "./additions/file-size-limit.ts";
import { FILE_SMALLER_CHECK } from "./additions/file-smaller-check.ts";
import { filesOfRecipe } from "./additions/read-recipes.ts";

/** Whatever knows all limits, types of checks, codes or backends, and has a test that would miss one. */
const TESTS = [
  "test/pins.test.ts",
  "test/docs.test.ts",
  "test/reference.test.ts",
  "packages/protocol/src/errors/error-codes.test.ts",
  "packages/drydock/src/policy/resolve-policy.test.ts",
  "packages/drydock/src/sandbox/backends/registry.test.ts",
  "packages/drydock/src/sandbox/describe-work.test.ts",
  "packages/drydock/src/sandbox/failures/explain-failure.test.ts",
  "packages/drydock/src/sandbox/kernel/contain/limits.test.ts",
];
/** Tests that the additions themselves bring, and one beside them that knows all types. */
const OWN_TESTS = ["packages/drydock/test/verify/checks.test.ts", "packages/drydock/test/dock/exec-limits.test.ts"];
const OWN_NAMES = "file_smaller|each verdict for every type|file size";
const TYPED = [
  ...["packages/protocol/src", "packages/drydock/src/policy", "packages/drydock/src/sandbox"],
  ...["packages/drydock/src/engine", "test/pins.test.ts"],
];
const MOST_FILES = 5;
const LONG_MS = 180_000;
const OPEN_SESSION = `
import { createDock } from "drydock";
const dock = await createDock({ home: process.argv[1], warm: 0 });
const told = await dock.sessions.open({}).then(() => "opened", (error) => error.code + ": " + error.message);
await dock.close();
console.log(told);
`;

let copy: RepositoryCopy;
let changed: Record<"limit" | "check" | "code" | "backend", string[]>;

function add(files: Record<string, string>, insertions: readonly Insertion[]): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(copy.root, path)), { recursive: true });
    writeFileSync(join(copy.root, path), text);
  }
  return [...Object.keys(files), ...copy.insert(insertions)];
}

// One copy for all of them: making and checking one takes far longer than an addition.
beforeAll(() => {
  copy = copyRepository();
  changed = {
    limit: add({}, FILE_SIZE_LIMIT),
    check: add(FILE_SMALLER_CHECK.files, FILE_SMALLER_CHECK.insertions),
    code: add({}, BLOCKED_DELIVERY_CODE),
    backend: add(COPYING_BACKEND.files, COPYING_BACKEND.insertions),
  };
  mkdirSync(join(copy.root, "home"), { mode: 0o700 });
});
afterAll(() => copy?.[Symbol.dispose]());

describe("what is added as docs/contributing.md says", () => {
  it("has types that fit", { timeout: LONG_MS }, () => {
    writeFileSync(
      join(copy.root, "tsconfig.part.json"),
      JSON.stringify({ extends: "./tsconfig.json", include: TYPED }),
    );
    copy.run("tsc", "-p", "tsconfig.part.json");
  });

  it("passes the tests that know all of its kind, and its own", { timeout: LONG_MS }, () => {
    copy.run("vitest", "run", ...TESTS, "--maxWorkers=1");
    copy.run("vitest", "run", ...OWN_TESTS, "-t", OWN_NAMES, "--maxWorkers=1");
  });
});

describe("a limit", () => {
  it("needs the five files that the page names", () => {
    expect(changed.limit.sort()).toEqual(filesOfRecipe("A limit of a run").sort());
    expect(changed.limit).toHaveLength(5);
  });

  it("is part of the policy, ends a run that reaches it, and is explained", { timeout: LONG_MS }, () => {
    const policy = join(copy.root, "small.yaml");
    writeFileSync(policy, "limits: { fileMb: 1 }\n");
    expect(copy.drydock({}, "policy", "show").limits).toMatchObject({ fileMb: 1024, openFiles: 256 });
    const ran = copy.drydock({}, "exec", "--policy", policy, "-c", "open('big', 'wb').write(b'x' * (2 << 20))");
    expect(ran.error).toMatchObject({
      code: "limit.file_size",
      message: "The run wrote a file of more than 1 MB.",
      hint: expect.stringContaining("drydock policy set limits.fileMb 2"),
    });
  });
});

describe("a check type and an error code", () => {
  it("need no more than five files, which the page names", () => {
    const named = filesOfRecipe("A check type").map((path) => path.replace("/http-check.ts", "/file-smaller-check.ts"));
    expect(changed.check.sort()).toEqual(named.sort());
    expect(named.length).toBeLessThanOrEqual(MOST_FILES);
    const ofCode = filesOfRecipe("An error code");
    expect(changed.code.filter((path) => !ofCode.includes(path))).toEqual([]);
    expect(ofCode.length).toBeLessThanOrEqual(MOST_FILES);
  });

  it("are judged, refused and reported by the command", { timeout: LONG_MS }, () => {
    const workspace = join(copy.root, "workspace");
    mkdirSync(workspace);
    writeFileSync(join(workspace, "a.txt"), "12345");
    const checks = join(copy.root, "checks.json");
    const verify = (...bytes: number[]) => {
      const list = bytes.map((each) => ({ type: "file_smaller", path: "a.txt", bytes: each }));
      writeFileSync(checks, JSON.stringify({ checks: list }));
      return copy.drydock({}, "verify", "--workspace", workspace, "--checks", checks);
    };
    expect(verify(6)).toMatchObject({ verdict: "passed" });
    expect(verify(6, 5)).toMatchObject({
      verdict: "failed",
      checks: [{ verdict: "passed" }, { verdict: "failed", code: "too_large", reason: "a.txt has 5 bytes." }],
    });
  });
});

describe("a backend", () => {
  it("needs the five files that the page names", () => {
    const named = filesOfRecipe("A sandbox backend").map((path) => path.replace("/bare/", "/copying/"));
    expect(changed.backend.sort()).toEqual(named.sort());
    expect(changed.backend).toHaveLength(5);
  });

  it("takes the runs of a policy that names it, and nothing else", { timeout: LONG_MS }, () => {
    const level = "copied";
    expect(copy.drydock({ backends: ["copying"], level }, "exec", "-c", "print(1)")).toMatchObject({
      ok: true,
      stdout: "1\n",
      sandbox: { backend: "copying", level },
    });
    const { findings, ...doctor } = copy.drydock({ backends: ["copying"], level }, "doctor");
    expect(doctor).toMatchObject({ level });
    expect(findings).toEqual(
      expect.arrayContaining([
        { name: "copying", state: "ok", detail: "installed" },
        { name: "copying level", state: "ok", detail: "copied" },
      ]),
    );
    const strict = copy.drydock({ backends: ["copying"], level: "rlimits" }, "exec", "-c", "1");
    expect(strict.error).toMatchObject({ code: "sandbox.level", wanted: "rlimits", reached: "copied" });
    const both = { backends: ["copying", "namespaces"], level: "landlock" };
    expect(copy.drydock(both, "exec", "-c", "1").sandbox.backend).toBe("namespaces");
  });

  it("has no sessions, and says what is missing for a run that it can't take", { timeout: LONG_MS }, () => {
    const home = join(copy.root, "home");
    writeFileSync(join(home, "policy.yaml"), JSON.stringify({ sandbox: { backends: ["copying"], level: "copied" } }));
    const answer = copy.run("node", "--conditions=drydock-source", "--input-type=module", "-e", OPEN_SESSION, home);
    expect(answer).toContain("sandbox.unavailable: Sessions need the backend `namespaces`");
    const ran = copy.drydock({ backends: ["copying"], level: "landlock" }, "exec", "-c", "missing");
    expect(ran.error).toMatchObject({ code: "sandbox.unavailable", missing: "copying" });
  });
});
