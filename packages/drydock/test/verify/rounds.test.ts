import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Check, type CheckResult, DrydockError } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import type { TreeRunner } from "../../src/engine/ports.ts";
import { judgeTree } from "../../src/engine/verify/index.ts";
import { makeDirectory, readDirectoryTree } from "../../src/engine/verify/testing/directory-tree.ts";
import { openTestDock } from "../testing/test-dock.ts";
import { createDockRunner, POLICY } from "./judge.ts";

const test = openTestDock();
const CHECKS: Check[] = [
  { type: "file_contains", path: "a.txt", needle: "good" },
  { type: "command", cmd: "cat a.txt" },
];

/** Judges a directory that `disturb` is given after each round, until it returns false. */
function judgeDisturbed(disturb: (directory: string, round: number) => boolean, runner = createDockRunner(test.dock)) {
  const directory = makeDirectory({ "a.txt": "bad" });
  const options = { checks: CHECKS, before: null, scope: [], policy: POLICY, runner };
  let round = 0;
  return judgeTree({
    ...options,
    tree: readDirectoryTree(directory),
    refresh: async () => (disturb(directory, round++) ? { tree: readDirectoryTree(directory), before: null } : null),
  });
}

describe("a directory that changes while it is judged", () => {
  it("is judged again, and the verdict belongs to what it is in the end", async () => {
    const verification = await judgeDisturbed((directory, round) => {
      if (round === 0) writeFileSync(join(directory, "a.txt"), "good");
      return round === 0;
    });
    expect(verification).toMatchObject({ verdict: "passed", repeated: 1 });
    expect(new Set(verification.checks.map(({ treeHash }) => treeHash))).toEqual(new Set([verification.treeHash]));
  });

  it("is given up on after three repetitions", async () => {
    const verification = await judgeDisturbed((directory, round) => {
      writeFileSync(join(directory, "a.txt"), `good ${round}`);
      return true;
    });
    expect(verification).toMatchObject({ verdict: "failed", repeated: 3 });
    expect(verification.checks.at(-1)).toMatchObject({ code: "unstable", implied: true });
  });

  it("is judged as often as the caller wants", async () => {
    const tree = readDirectoryTree(makeDirectory({ "a.txt": "good" }));
    const options = { checks: CHECKS, tree, before: null, scope: [], policy: POLICY };
    const refresh = async () => ({ tree, before: null });
    const runner = createDockRunner(test.dock);
    const verification = await judgeTree({ ...options, runner, refresh, maxRepeats: 0 });
    expect(verification).toMatchObject({ verdict: "failed", repeated: 0 });
    expect(verification.checks.at(-1)).toMatchObject({ code: "unstable", implied: true });
  });

  it("is noticed by what runs in it as well", async () => {
    const real = createDockRunner(test.dock);
    let runs = 0;
    const runner: TreeRunner = {
      run: async (request) => ({ ...(await real.run(request)), changedUnderneath: runs++ === 0 ? ["a.txt"] : [] }),
    };
    expect(await judgeDisturbed(() => false, runner)).toMatchObject({ repeated: 1 });
  });
});

describe("the order of checks", () => {
  it("is that of the list, whoever is ready first", async () => {
    const seconds = [0.6, 0.3, 0, 0.1];
    const checks = seconds.map(
      (each): Check => ({ type: "command", cmd: `python3 -c 'import time; time.sleep(${each})'` }),
    );
    const replies: CheckResult[] = [];
    const tree = readDirectoryTree(makeDirectory({}));
    const options = { tree, before: null, scope: [], policy: POLICY, runner: createDockRunner(test.dock) };
    const { checks: results } = await judgeTree({
      ...options,
      checks,
      concurrency: 3,
      onCheck: (each) => replies.push(each),
    });
    expect(results.map(({ check }) => check)).toEqual(checks);
    expect(replies).toEqual(results);
  });

  it("a sandbox that can't be had ends everything", async () => {
    let runs = 0;
    const runner: TreeRunner = {
      run: async () => {
        runs++;
        throw new DrydockError("sandbox.unavailable", "No sandbox.", "Get one.");
      },
    };
    const tree = readDirectoryTree(makeDirectory({}));
    const checks: Check[] = [
      { type: "command", cmd: "ls" },
      { type: "command", cmd: "cat" },
    ];
    const judging = judgeTree({ checks, tree, before: null, scope: [], policy: POLICY, runner });
    await expect(judging).rejects.toMatchObject({ code: "sandbox.unavailable" });
    expect(runs).toBe(1);
  });
});

describe("a tree that is no longer there", () => {
  it("is judged again, whatever noticed it", async () => {
    const directory = makeDirectory({ "a.txt": "good" });
    const before = readDirectoryTree(makeDirectory({ "a.txt": "bad" }));
    const moved = () => new DrydockError("delivery.conflict", "a.txt has changed.", "Refresh.");
    let reads = 0;
    const real = readDirectoryTree(directory);
    const tree = { ...real, read: async (path: string) => (reads++ === 0 ? Promise.reject(moved()) : real.read(path)) };
    const options = { before, scope: [], policy: POLICY };
    const checks = CHECKS.slice(0, 1);
    const verification = await judgeTree({ ...options, checks, tree, runner: createDockRunner(test.dock) });
    expect(verification).toMatchObject({ verdict: "passed", repeated: 1 });
    let runs = 0;
    const runner: TreeRunner = {
      run: async (request) => {
        const result = await createDockRunner(test.dock).run(request);
        return runs++ === 0 ? { ...result, ok: false, exitCode: null, error: moved().toInfo() } : result;
      },
    };
    const again = await judgeTree({ ...options, checks: CHECKS, tree: real, runner });
    expect(again).toMatchObject({ verdict: "passed", repeated: 1 });
  });
});
