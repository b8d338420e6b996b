import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock } from "drydock";
import { expect, it, onTestFinished } from "vitest";
import { CHILD_FLAGS } from "../../src/base/testing/child-flags.ts";

const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const CODE = `import sys, time
print("first line")
print("token = ${SECRET.slice(0, 20)}" "${SECRET.slice(20)}")
print("to err", file=sys.stderr)
time.sleep(60)`;

it.each(["session", "task"])(
  "a killed %s leaves what its step had printed, without secrets",
  { timeout: 60_000 },
  async (what) => {
    const home = mkdtempSync(join(tmpdir(), "drydock-killed-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const script = join(home, "script.json");
    writeFileSync(script, JSON.stringify({ answers: [{ text: `\`\`\`python\n${CODE}\n\`\`\`` }] }));
    const program = join(import.meta.dirname, "killed-child.ts");
    const child = spawn(process.execPath, [...CHILD_FLAGS, program, home, what, CODE, `scripted:${script}`], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const gone = once(child, "exit");
    const place = join(home, "unfinished");
    const names = () => (existsSync(place) ? readdirSync(place).filter((name) => name.endsWith(".json")) : []);
    const kept = () => names().map((name) => readFileSync(join(place, name), "utf8"));
    try {
      await expect.poll(() => kept().join(), { timeout: 30_000 }).toContain("to err");
      expect(kept().join()).not.toContain(SECRET);
    } finally {
      child.kill("SIGKILL");
      await gone;
    }
    const dock = await createDock({ home, warm: 1 });
    try {
      const { runs } = await dock.runs.list();
      const step = runs.find(({ kind }) => kind === "session");
      expect(step?.status).toBe("lost");
      const events = await dock.runs.events(step?.id ?? "");
      expect(events.map(({ type }) => type)).toEqual(["run.created", "output.recorded", "run.lost"]);
      expect(events[1]?.data).toMatchObject({
        stdout: expect.stringMatching(/^first line\ntoken = \[/),
        stderr: "to err\n",
      });
      expect(names()).toEqual([]);
      expect((await dock.audit.verify()).ok).toBe(true);
    } finally {
      await dock.close();
    }
  },
);

it("a step that ends by itself leaves nothing beside the ledger", async () => {
  const home = mkdtempSync(join(tmpdir(), "drydock-killed-"));
  const dock = await createDock({ home, warm: 1 });
  onTestFinished(async () => {
    await dock.close();
    rmSync(home, { recursive: true, force: true });
  });
  const session = await dock.sessions.open();
  await session.exec("import time\nfor i in range(15): print(i, flush=True); time.sleep(0.1)");
  expect(existsSync(join(home, "unfinished"))).toBe(true);
  expect(readdirSync(join(home, "unfinished"))).toEqual([]);
});
