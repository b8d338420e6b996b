import { cpSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Dock } from "drydock";
import type { Stage } from "./stage.ts";

const TESTS = ["python3", "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"];
const FIX = `
import pathlib, subprocess, sys
source = pathlib.Path("calculator/basics.py")
source.write_text(source.read_text().replace("return a - b", "return a + b"))
subprocess.run(${JSON.stringify(TESTS)}, check=True)
`;

/** Work on a directory: the run sees it, changes it, and nothing of that leaves the run's layer. */
export async function fixBug(dock: Dock, stage: Stage): Promise<void> {
  stage.act("A bug fixed in a workspace that stays as it is");
  // A copy, because a run may change only what its caller may, and this tree may be somebody else's.
  const workspace = join(stage.directory, "python-bugfix");
  cpSync(join(import.meta.dirname, "python-bugfix"), workspace, { recursive: true });
  const before = readTree(workspace);
  const broken = await dock.exec({ command: TESTS, workspace });
  stage.say("the tests, as they are:");
  stage.quote(broken.stdout.trimEnd().split("\n").at(-1) ?? "");
  const fixed = await dock.exec({ language: "python", code: FIX, workspace });
  stage.say("the tests in the run that fixes the bug:");
  stage.quote(fixed.stdout.trimEnd().split("\n").at(-1) ?? "");
  stage.say("what it changed:");
  stage.quote(await dock.runs.diff(fixed.runId));
  stage.check("the tests failed before and pass in the run", !broken.ok && fixed.ok);
  stage.check(
    "one file changed, in the layer",
    fixed.changes.map(({ kind, path }) => `${kind} ${path}`).join() === "changed calculator/basics.py",
  );
  stage.check("the directory itself is untouched", readTree(workspace) === before);
}

/** Names, times and contents, as one text. */
function readTree(directory: string): string {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const stats = statSync(join(directory, name));
      const content = stats.isFile() ? readFileSync(join(directory, name), "utf8") : "";
      return `${name} ${stats.mtimeMs} ${content}`;
    })
    .join("\n");
}
