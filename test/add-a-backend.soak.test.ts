import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyRepository, type RepositoryCopy } from "./additions/copy-repository.ts";
import { COPYING_BACKEND } from "./additions/copying-backend.ts";
import { filesOfRecipe } from "./additions/read-recipes.ts";

const TESTS = ["test/docs.test.ts", "test/pins.test.ts", "packages/drydock/src/sandbox/backends/registry.test.ts"];
const TYPED = ["packages/protocol/src", "packages/drydock/src/policy", "packages/drydock/src/sandbox"];
const OPEN_SESSION = `
import { createDock } from "drydock";
const dock = await createDock({ home: process.argv[1], warm: 0 });
const told = await dock.sessions.open({}).then(() => "opened", (error) => error.code + ": " + error.message);
await dock.close();
console.log(told);
`;
const LONG_MS = 180_000;

describe("a backend that is added as docs/contributing.md says", () => {
  let copy: RepositoryCopy;
  let changed: string[];

  beforeAll(() => {
    copy = copyRepository();
    for (const [path, text] of Object.entries(COPYING_BACKEND.files)) {
      mkdirSync(dirname(join(copy.root, path)), { recursive: true });
      writeFileSync(join(copy.root, path), text);
    }
    changed = [...Object.keys(COPYING_BACKEND.files), ...copy.insert(COPYING_BACKEND.insertions)];
    mkdirSync(join(copy.root, "home"), { mode: 0o700 });
  });
  afterAll(() => copy?.[Symbol.dispose]());

  it("needs the five files that the page names", () => {
    const named = filesOfRecipe("A sandbox backend").map((path) => path.replace("/bare/", "/copying/"));
    expect(changed.sort()).toEqual(named.sort());
    expect(changed).toHaveLength(5);
  });

  it("has types that fit, and passes the tests that know all backends", { timeout: LONG_MS }, () => {
    writeFileSync(
      join(copy.root, "tsconfig.part.json"),
      JSON.stringify({ extends: "./tsconfig.json", include: TYPED }),
    );
    copy.run("tsc", "-p", "tsconfig.part.json");
    copy.run("vitest", "run", ...TESTS, "--maxWorkers=1");
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
