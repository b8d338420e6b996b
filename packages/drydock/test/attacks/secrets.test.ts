import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openAttackDock } from "../testing/attack-dock.ts";

// A value that the policy lets through by name is no secret; all others of the host's environment are.
const it = openAttackDock();

/** Every byte below the dock's home, as one text. */
function homeBytes(directory: string): string {
  return readdirSync(directory)
    .map((name) => join(directory, name))
    .map((path) => (statSync(path).isDirectory() ? homeBytes(path) : readFileSync(path, "latin1")))
    .join("\n");
}

/** What a run writes into files is kept byte by byte, or it could not be delivered: this is about everything else. */
describe("a secret that the code knows of", () => {
  test("a host's variable that is printed, raised, returned or named is in no file of the home", async () => {
    const halves = [it.canary.slice(0, 11), it.canary.slice(11)];
    const secret = `${JSON.stringify(halves[0])} + ${JSON.stringify(halves[1])}`;
    const results = [
      await it.attack(`s = ${secret}\nprint(s)\nimport sys; print(s, file=sys.stderr)\nresult = {s: [s]}`),
      await it.attack(`raise ValueError(${secret})`),
      await it.attack(`print(${JSON.stringify(it.canary)})`),
      await it.attack(`import sys; sys.stdout.write("x" * 100000 + ${secret})`),
    ];
    expect(results[0]?.stdout).toContain(it.canary.slice(0, 3));
    const stored = homeBytes(it.dock.home);
    expect(stored.length).toBeGreaterThan(1000);
    expect(stored).not.toContain(it.canary);
  });

  test("well-known keys in code and output", async () => {
    const key = `ghp_${randomBytes(18).toString("hex")}`;
    const aws = `AKIA${randomBytes(8).toString("hex").toUpperCase()}`;
    await it.attack(`token = "${key}"\nprint(token, "${aws}")`);
    const stored = homeBytes(it.dock.home);
    expect(stored).not.toContain(key);
    expect(stored).not.toContain(aws);
  });
});

describe("a file that the policy hides", () => {
  test("gives its content to nobody when the code writes over it or deletes it", async () => {
    const secret = randomBytes(12).toString("hex");
    const workspace = mkdtempSync(join(tmpdir(), "drydock-hidden-"));
    onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
    chmodSync(workspace, 0o777);
    mkdirSync(join(workspace, ".ssh"));
    for (const name of [".env", "key.pem", ".ssh/config"]) writeFileSync(join(workspace, name), `A=${secret}\n`);
    const codes = [
      `open(".env", "w").write("x"); open("key.pem", "a").write("y")`,
      `import os\nfor name in (".env", "key.pem"):\n  try: os.remove(name)\n  except OSError: pass`,
      `import os\nos.makedirs(".ssh", exist_ok=True); open(".ssh/config", "w").write("z")`,
    ];
    for (const code of codes) {
      const { runId } = await it.dock.exec({ language: "python", code, workspace });
      const diff = await it.dock.runs.diff(runId);
      expect(diff).not.toContain(secret);
    }
    const wrote = await it.dock.exec({ language: "python", code: codes[0] ?? "", workspace });
    // To the run there was no such file: its diff is that of new ones, which tells nothing of those that are there.
    expect(await it.dock.runs.diff(wrote.runId)).toMatch(/^diff --git a\/\.env b\/\.env\nnew file mode .*\+x\n/s);
    expect(homeBytes(it.dock.home)).not.toContain(secret);
  });
});
