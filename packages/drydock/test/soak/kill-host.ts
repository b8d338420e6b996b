import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock } from "drydock";
import { expect } from "vitest";
import { CHILD_FLAGS } from "../../src/base/testing/child-flags.ts";
import { eventually } from "../../src/base/testing/eventually.ts";
import { processesWith } from "../../src/base/testing/processes.ts";

const LONGEST_LIFE_MS = 1000;

/** Kills a busy host at a random moment, opens its home again, and looks for anything that is left; so many times. */
export async function killHosts(kills: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "drydock-soak-"));
  const home = join(directory, "home");
  const workspace = join(directory, "workspace");
  mkdirSync(workspace);
  for (let index = 0; index < 200; index++) writeFileSync(join(workspace, `file-${index}.txt`), `${index}\n`);
  try {
    let opened = 0;
    for (let kill = 0; kill < kills; kill++) {
      const lifeMs = Math.round(Math.random() * LONGEST_LIFE_MS);
      // One in eight dies while it starts; the others have begun to work.
      const { pid, wasOpen } = await runAndKill([home, workspace], lifeMs, kill % 8 === 3);
      if (wasOpen) opened++;
      await openAgain(home, `kill ${kill} after ${lifeMs} ms`);
      await expectNothingLeft(pid, home, `kill ${kill} after ${lifeMs} ms`);
    }
    expect(opened, "most hosts were killed while they worked").toBeGreaterThan(kills / 4);
    expect(readdirSync(workspace).length, "the workspace is as it was").toBe(200);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function runAndKill(
  args: string[],
  lifeMs: number,
  isEarly: boolean,
): Promise<{ pid: number; wasOpen: boolean }> {
  const child = spawn(process.execPath, [...CHILD_FLAGS, join(import.meta.dirname, "host-child.ts"), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let reply = "";
  let complaint = "";
  const open = new Promise<void>((resolve) => {
    child.stdout.on("data", (data) => {
      reply += data;
      resolve();
    });
  });
  child.stderr.on("data", (data) => {
    complaint += data;
  });
  const exited = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once("exit", (_code, signal) => resolve(signal)),
  );
  if (!isEarly) await Promise.race([open, exited]);
  await Promise.race([new Promise((resolve) => setTimeout(resolve, lifeMs)), exited]);
  child.kill("SIGKILL");
  expect(await exited, complaint).toBe("SIGKILL");
  return { pid: child.pid ?? 0, wasOpen: reply !== "" };
}

async function openAgain(home: string, when: string): Promise<void> {
  const dock = await createDock({ home, warm: 0 });
  try {
    const { error, result, notes } = await dock.exec({ code: "6 * 7" });
    expect({ error, result }, `${when}, ${notes.join(", ")}`).toEqual({ error: null, result: 42 });
    expect((await dock.runs.list({ status: "running" })).runs, when).toEqual([]);
    expect(await dock.audit.verify(), when).toMatchObject({ ok: true });
  } finally {
    await dock.close();
  }
}

async function expectNothingLeft(pid: number, home: string, when: string): Promise<void> {
  const processes = () => [...processesWith(home), ...processesWith(`7777.${pid}`)];
  await eventually(() => processes().length === 0);
  expect(processes().map(describeProcess), `processes, ${when}`).toEqual([]);
  expect(controlGroupsOf(pid), `control groups, ${when}`).toEqual([]);
  const runs = join(tmpdir(), `drydock-${process.getuid?.()}`);
  expect(
    readdirSync(runs).filter((name) => name.startsWith(`${pid}-`)),
    `directories, ${when}`,
  ).toEqual([]);
  const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
  expect(
    mounts.filter((line) => line.includes(`${runs}/${pid}-`) || line.includes(home)),
    `mounts, ${when}`,
  ).toEqual([]);
}

function describeProcess(pid: number): string {
  try {
    return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ").slice(0, 200)}`;
  } catch {
    return `${pid}`;
  }
}

/** Control groups of the docks of a process, wherever they are. */
export function controlGroupsOf(pid: number): string[] {
  const found: string[] = [];
  const search = (directory: string, depth: number) => {
    for (const entry of readSubdirectories(directory)) {
      const path = join(directory, entry);
      if (entry.startsWith(`drydock-${pid}-`)) found.push(path);
      else if (depth > 0) search(path, depth - 1);
    }
  };
  search("/sys/fs/cgroup", 4);
  return found;
}

function readSubdirectories(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    return []; // it was removed meanwhile
  }
}
