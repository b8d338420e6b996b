import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyRepository, type RepositoryCopy } from "./additions/copy-repository.ts";
import { FILE_SIZE_LIMIT } from "./additions/file-size-limit.ts";
import { filesOfRecipe } from "./additions/read-recipes.ts";

/** Whatever knows the limits, and has a test that would miss one. */
const TESTS = [
  "test/pins.test.ts",
  "test/docs.test.ts",
  "packages/protocol/src/errors/error-codes.test.ts",
  "packages/drydock/src/policy/resolve-policy.test.ts",
  "packages/drydock/src/sandbox/describe-work.test.ts",
  "packages/drydock/src/sandbox/failures/explain-failure.test.ts",
  "packages/drydock/src/sandbox/kernel/contain/limits.test.ts",
];
const TYPED = [
  "packages/protocol/src",
  "packages/drydock/src/policy",
  "packages/drydock/src/sandbox",
  "test/pins.test.ts",
];
const LONG_MS = 180_000;

describe("a limit that is added as docs/contributing.md says", () => {
  let copy: RepositoryCopy;
  let changed: string[];

  beforeAll(() => {
    copy = copyRepository();
    changed = copy.insert(FILE_SIZE_LIMIT);
  });
  afterAll(() => copy?.[Symbol.dispose]());

  it("needs the five files that the page names", () => {
    expect(changed.sort()).toEqual(filesOfRecipe("A limit of a run").sort());
    expect(changed).toHaveLength(5);
  });

  it("has types that fit", { timeout: LONG_MS }, () => {
    writeFileSync(
      join(copy.root, "tsconfig.part.json"),
      JSON.stringify({ extends: "./tsconfig.json", include: TYPED }),
    );
    copy.run("tsc", "-p", "tsconfig.part.json");
  });

  it("passes the tests that know all limits, and its own", { timeout: LONG_MS }, () => {
    copy.run("vitest", "run", ...TESTS, "--maxWorkers=1");
    copy.run("vitest", "run", "packages/drydock/test/dock/exec-limits.test.ts", "-t", "file size", "--maxWorkers=1");
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
