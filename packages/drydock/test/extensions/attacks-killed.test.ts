import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock, type Dock } from "drydock";
import { expect, it } from "vitest";
import { CHILD_FLAGS } from "../../src/base/testing/child-flags.ts";
import { eventually } from "../../src/base/testing/eventually.ts";
import { processesWith } from "../../src/base/testing/processes.ts";
import { describeExtension, writeExtension } from "../testing/extension-dock.ts";

const KILLS = 4;
const LONGEST_LIFE_MS = 1500;

const box = {
  "docs/USAGE.md": "# Usage\n",
  ...describeExtension(
    "box",
    "{ tools: [sh, sleep, echo, tr] }",
    `      - name: count
        description: Counts in two files.
        runner: exec.sh
        args: [-c, "n=$(( $(cat one 2>/dev/null || echo 0) + 1 )); echo $n > one; echo $n > two; echo $n"]
      - name: wait
        description: Waits.
        runner: exec.sh
        arguments: [{ name: marker, required: true }]
        args: [-c, "(sleep $1 &) ; sleep 0.2", sh, "{{ marker }}"]
      - name: say
        description: Says.
        runner: exec.echo
        arguments: [{ name: what, required: true }]
        args: ["{{ what }}"]
      - name: upper
        description: In upper case.
        runner: exec.tr
        args: [a-z, A-Z]
        stdin: "{{ input }}"
      - name: drop
        description: Drops.
        runner: exec.echo
        risk: high
        arguments: [{ name: what, required: true }]
        args: ["{{ what }}"]
`,
  ),
};

it("leaves nothing running and nothing half done where its host is killed", { timeout: 120_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), "drydock-killed-"));
  const home = join(directory, "home");
  try {
    writeExtension(join(directory, "box"), box);
    writeExtension(home, { "policy.yaml": "extensions: { callsPerHour: 100000 }\n" });
    const first = await createDock({ home, warm: 0 });
    await first.extensions.add(join(directory, "box"), { approve: async () => true });
    await first.close();
    for (let kill = 0; kill < KILLS; kill++) {
      const lifeMs = 200 + Math.round((LONGEST_LIFE_MS * kill) / KILLS);
      const pid = await runAndKill(home, lifeMs);
      const dock = await createDock({ home, warm: 1 });
      try {
        await expectWhole(dock, home, pid, `killed after ${lifeMs} ms`);
      } finally {
        await dock.close();
      }
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

async function expectWhole(dock: Dock, home: string, pid: number, when: string): Promise<void> {
  // The places of those that were killed are free again, and their files are as one of them left them.
  const count = await dock.extensions.execute("/box count", { session: "counting" });
  expect(count, `${when}: ${JSON.stringify(count)}`).toMatchObject({ type: "capability_result", notes: [] });
  const work = join(home, "extensions", "work", "box", "counting");
  const [one, two] = ["one", "two"].map((name) => readFileSync(join(work, name), "utf8"));
  expect(one, when).toBe(two);
  expect(readdirSync(work).sort(), when).toEqual(["one", "two"]);
  expect((await dock.runs.list({ status: "running" })).runs, when).toEqual([]);
  expect(dock.extensions.queue.list(), when).toEqual([]);
  await eventually(() => processesWith(`8888.${pid}`).length === 0);
  expect(processesWith(`8888.${pid}`), when).toEqual([]);
  // What waited still waits, and is done once.
  const [waiting] = await dock.extensions.approvals.list({ status: "pending" });
  if (waiting) {
    expect(await dock.extensions.approvals.approve(waiting.id), when).toMatchObject({ output: "x\n" });
    await expect(dock.extensions.approvals.approve(waiting.id), when).rejects.toMatchObject({ code: "input.invalid" });
  }
  expect(await dock.audit.verify(), when).toMatchObject({ ok: true });
  const underWay = join(home, "deliveries", "open");
  expect(existsSync(underWay) ? readdirSync(underWay) : [], when).toEqual([]);
}

async function runAndKill(home: string, lifeMs: number): Promise<number> {
  const child = spawn(process.execPath, [...CHILD_FLAGS, join(import.meta.dirname, "killed-child.ts"), home], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  await new Promise((resolve) => setTimeout(resolve, lifeMs));
  const exited = new Promise((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
  child.kill("SIGKILL");
  expect(await exited).toBe("SIGKILL");
  return child.pid ?? 0;
}
