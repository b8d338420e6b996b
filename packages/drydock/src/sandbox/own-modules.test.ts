import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { listOwnModules } from "./own-modules.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "drydock-own-modules-")));
const workspace = join(place, "workspace");
mkdirSync(join(workspace, "sub"), { recursive: true });
for (const path of ["secret.py", "workspace/json.py", "workspace/sub/random.py"]) writeFileSync(join(place, path), "");
symlinkSync(place, join(workspace, "out"));
symlinkSync("sub", join(workspace, "in"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

test.each([
  [undefined, ["in", "json", "out", "sub"]],
  ["main.py", ["in", "json", "out", "sub"]],
  ["sub/main.py", ["random"]],
  ["in/main.py", ["random"]],
  ["../main.py", []],
  ["sub/../../main.py", []],
  ["out/main.py", []],
  ["missing/main.py", []],
])("of a program called %s, the modules beside it, and none outside of the workspace", (filename, names) => {
  expect(listOwnModules(workspace, filename, undefined).sort()).toEqual(names);
});
