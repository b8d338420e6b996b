import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BLOCKED_DELIVERY_CODE } from "./additions/blocked-delivery-code.ts";
import { copyRepository, type RepositoryCopy } from "./additions/copy-repository.ts";
import { FILE_SMALLER_CHECK } from "./additions/file-smaller-check.ts";
import { filesOfRecipe } from "./additions/read-recipes.ts";

/** Whatever knows all types of checks or all codes, and has a test that would miss one. */
const TESTS = [
  "test/pins.test.ts",
  "test/docs.test.ts",
  "test/reference.test.ts",
  "packages/protocol/src/errors/error-codes.test.ts",
  "packages/drydock/src/sandbox/failures/explain-failure.test.ts",
];
const TYPED = ["packages/protocol/src", "packages/drydock/src/engine", "test/pins.test.ts"];
const MOST_FILES = 5;
const LONG_MS = 180_000;

describe("a check type and an error code that are added as docs/contributing.md says", () => {
  let copy: RepositoryCopy;
  let changed: { check: string[]; code: string[] };

  beforeAll(() => {
    copy = copyRepository();
    const made = Object.entries(FILE_SMALLER_CHECK.files);
    for (const [path, text] of made) writeFileSync(join(copy.root, path), text);
    changed = {
      check: [...made.map(([path]) => path), ...copy.insert(FILE_SMALLER_CHECK.insertions)],
      code: copy.insert(BLOCKED_DELIVERY_CODE),
    };
  });
  afterAll(() => copy?.[Symbol.dispose]());

  it("need no more than five files, which the page names", () => {
    const named = filesOfRecipe("A check type").map((path) => path.replace("/http-check.ts", "/file-smaller-check.ts"));
    expect(changed.check.sort()).toEqual(named.sort());
    expect(named.length).toBeLessThanOrEqual(MOST_FILES);
    const ofCode = filesOfRecipe("An error code");
    expect(changed.code.filter((path) => !ofCode.includes(path))).toEqual([]);
    expect(ofCode.length).toBeLessThanOrEqual(MOST_FILES);
  });

  it("have types that fit, and pass the tests that know all of them", { timeout: LONG_MS }, () => {
    writeFileSync(
      join(copy.root, "tsconfig.part.json"),
      JSON.stringify({ extends: "./tsconfig.json", include: TYPED }),
    );
    copy.run("tsc", "-p", "tsconfig.part.json");
    copy.run("vitest", "run", ...TESTS, "--maxWorkers=1");
    const own = "file_smaller|each verdict for every type";
    copy.run("vitest", "run", "packages/drydock/test/verify/checks.test.ts", "-t", own, "--maxWorkers=1");
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
