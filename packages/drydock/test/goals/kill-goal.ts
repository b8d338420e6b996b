import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock, type RunEvent } from "drydock";
import { expect } from "vitest";
import { CHILD_FLAGS } from "../../src/base/testing/child-flags.ts";
import { TWELVE_ANSWERS, TWELVE_TASKS, writeTwelve } from "./twelve-tasks.ts";

/** Kills a goal's process after every so many events, resumes it, and compares with the run that nobody disturbed. */
export async function killGoals(every: number): Promise<number> {
  const place = mkdtempSync(join(tmpdir(), "drydock-kill-"));
  try {
    const pristine = join(place, "pristine");
    mkdirSync(pristine);
    writeTwelve(pristine);
    const script = join(place, "script.json");
    writeFileSync(script, JSON.stringify({ answers: TWELVE_ANSWERS }));
    const model = `scripted:${script}`;
    const whole = await runUndisturbed(place, pristine, model);
    expect(whole.verdict).toBe("passed");
    let kills = 0;
    for (let killAt = 0; killAt < whole.events; killAt += every) {
      const name = `killed after event ${killAt}`;
      const [home, workspace] = [join(place, `home-${killAt}`), join(place, `work-${killAt}`)];
      cpSync(pristine, workspace, { recursive: true });
      expect(await spawnChild([home, workspace, model, String(killAt)]), name).toBe("SIGKILL");
      const resumed = await resumeOnly(home);
      expect({ verdict: resumed.verdict, treeHash: resumed.treeHash }, name).toEqual({
        verdict: whole.verdict,
        treeHash: whole.treeHash,
      });
      expectNothingTwice(resumed.events, name);
      expect(resumed.audit, name).toBe(true);
      rmSync(home, { recursive: true });
      rmSync(workspace, { recursive: true });
      kills++;
    }
    return kills;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function runUndisturbed(place: string, pristine: string, model: string) {
  const workspace = join(place, "whole");
  cpSync(pristine, workspace, { recursive: true });
  const dock = await createDock({ home: join(place, "home"), warm: 1 });
  let events = 0;
  const { verdict, treeHash } = await dock.goals.run({ plan: TWELVE_TASKS, workspace, model, onEvent: () => events++ });
  await dock.close();
  return { verdict, treeHash, events };
}

async function resumeOnly(home: string) {
  const dock = await createDock({ home, warm: 1 });
  try {
    const { runs } = await dock.runs.list();
    expect(runs).toHaveLength(1);
    const { verdict, treeHash, runId, error } = await dock.goals.resume(runs[0]?.id ?? "");
    expect(error).toBeNull();
    return { verdict, treeHash, events: await dock.runs.events(runId), audit: (await dock.audit.verify()).ok };
  } finally {
    await dock.close();
  }
}

/** An answer that is on record is not asked for again, and a task with a verdict is not done again. */
function expectNothingTwice(events: readonly RunEvent[], name: string): void {
  for (const type of ["model.answered", "attempt.finished", "task.verified", "task.done", "layer.applied"]) {
    const keys = events.filter((event) => event.type === type).map((event) => String(event.data.key));
    expect(keys.length, `${name}: ${type} twice`).toBe(new Set(keys).size);
  }
  const finished = new Map(events.filter(({ type }) => type === "attempt.finished").map((e) => [e.data.key, e.seq]));
  for (const { type, data, seq } of events) {
    const attempt = String(data.key).split("/answer/")[0];
    if (type === "model.asked")
      expect(seq, `${name}: asked after its attempt`).toBeLessThan(finished.get(attempt) ?? Infinity);
  }
}

export function spawnChild(args: string[]): Promise<string | null> {
  const child = spawn(process.execPath, [...CHILD_FLAGS, join(import.meta.dirname, "goal-child.ts"), ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? `status ${code}`)));
}
