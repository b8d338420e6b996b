import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createBaseReader } from "./base-reader.ts";
import { makeWorkspace } from "./testing/layers.ts";

test("the base reader never follows a symlink, and never leaves the workspace", async () => {
  const workspace = makeWorkspace();
  const outside = join(dirname(workspace), "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "secret"), "secret");
  mkdirSync(join(workspace, "d"));
  writeFileSync(join(workspace, "d/file"), "inside");
  symlinkSync(outside, join(workspace, "out"));
  symlinkSync(join(outside, "secret"), join(workspace, "d/link"));
  execFileSync("mkfifo", [join(workspace, "pipe")]);
  writeFileSync(Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from([0xff])]), "odd");
  const read = createBaseReader(workspace);
  expect(String(await read("d/file"))).toBe("inside");
  expect(String(await read("\udcff"))).toBe("odd");
  const refused = ["out/secret", "d/link", "../outside/secret", "d/../../outside/secret", "/etc/passwd", "d", "pipe"];
  for (const path of [...refused, "missing", "d/file/x", ""]) expect(await read(path), path).toBeNull();
});
