import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDock, type Dock } from "drydock";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { openAtTerminal } from "./testing/at-terminal.ts";

const test = openTestDock();

function makeWorkspace(): string {
  const workspace = test.makeWorkspace({ "a.txt": "one\n", "dir/b.txt": "two\n", "run.sh": "#!/bin/sh\n" });
  symlinkSync("a.txt", join(workspace, "link"));
  return workspace;
}

/** Everything of a directory that a rewind has to bring back. */
const LIST = `find . -mindepth 1 -printf '%P %y %m %l ' -a \\( -type f -exec sha256sum {} \\; -o -printf '\\n' \\) | sort`;

function describeTree(root: string, below = ""): string[] {
  return readdirSync(join(root, below))
    .sort()
    .flatMap((name) => {
      const path = join(below, name);
      const found = lstatSync(join(root, path));
      const mode = (found.mode & 0o7777).toString(8);
      if (found.isSymbolicLink()) return [`${path} -> ${readlinkSync(join(root, path))}`];
      if (found.isDirectory()) return [`${path}/ ${mode}`, ...describeTree(root, path)];
      return [`${path} ${mode} ${readFileSync(join(root, path)).toString("base64")}`];
    });
}

async function listInside(at: Awaited<ReturnType<typeof openAtTerminal>>, mark: string): Promise<string> {
  // What is typed is shown as well: the marks are written in two parts.
  at.type(`{ ${LIST}; } > /tmp/${mark}; echo 'begin'-${mark}; cat /tmp/${mark}; echo 'end'-${mark}\r`);
  await at.sees(`begin-${mark}\r\n`);
  const from = at.shown.lastIndexOf(`begin-${mark}\r\n`);
  await at.sees(`end-${mark}\r\n`);
  return at.shown.slice(from + `begin-${mark}\r\n`.length, at.shown.lastIndexOf(`end-${mark}\r\n`));
}

const CHANGES = [
  "echo changed >> a.txt; rm -r dir; rm link; ln -s run.sh link; chmod 700 run.sh; mkdir -p new/deep; echo x > new/deep/f",
  "mkdir dir; echo other > dir/c.txt; rm -r new; chmod 755 a.txt; rm run.sh; mkdir run.sh; head -c 3000000 /dev/zero > big",
];

describe("a wrap", () => {
  it("returns to any checkpoint byte for byte, also what shell commands deleted, linked and made executable", async () => {
    const at = await openAtTerminal(test.dock, { command: ["bash", "--norc"], workspace: makeWorkspace() });
    const states = [await listInside(at, "start")];
    for (const [index, commands] of CHANGES.entries()) {
      at.type(`${commands}; echo 'done'-${index}\r`);
      await at.sees(`done-${index}\r\n`);
      const { number } = await at.handle.checkpoint();
      states.push(await listInside(at, `state${number}`));
    }
    const taken = await test.dock.wraps.checkpoints(at.handle.runId);
    const [first, second] = taken.filter(({ reason }) => reason === "asked").map(({ number }) => number);
    const [start, one, two] = states;
    for (const [number, state, mark] of [
      [0, start, "back0"],
      [second, two, "back2"],
      [first, one, "back1"],
    ] as const) {
      await at.handle.rewind(number);
      expect(await listInside(at, mark)).toBe(state);
    }
    at.type("exit\r");
    const result = await at.result;
    expect(result.delivery).toBe("kept");
    expect(result.treeHash).toBe(taken[first ?? 0]?.treeHash);
  });

  it("takes pipes and sockets back as well, which would keep everything else from being delivered", async () => {
    const at = await openAtTerminal(test.dock, { command: ["bash", "--norc"], workspace: makeWorkspace() });
    at.type("mkdir new; mkfifo pipe new/pipe; rm a.txt; mkfifo a.txt; echo 'done'-1\r");
    await at.sees("done-1\r\n");
    await at.handle.rewind(0);
    at.type("find . -not -type f -not -type d -not -type l -printf 'odd %p'; cat a.txt; echo kept > kept; exit\r");
    const result = await at.result;
    expect(at.shown).not.toMatch(/odd \.\//);
    expect(at.shown).toContain("one\r\n");
    expect([result.error, result.changes]).toEqual([null, [{ path: "kept", kind: "added" }]]);
  });

  it("can be given a checkpoint and rewound from another process", async () => {
    const at = await openAtTerminal(test.dock, { command: ["bash", "--norc"], workspace: makeWorkspace() });
    const other: Dock = await createDock({ home: test.home, warm: 0 });
    try {
      at.type("echo mine > mine.txt; echo written\r");
      await at.sees("\r\nwritten");
      expect(await other.wraps.find({ isRunning: true })).toBe(at.handle.runId);
      const { number } = await other.wraps.checkpoint(at.handle.runId);
      at.type("rm mine.txt; echo removed\r");
      await at.sees("\r\nremoved");
      const rewound = await other.wraps.rewind(at.handle.runId, number);
      expect(rewound).toMatchObject({ runId: at.handle.runId, checkpoint: { number }, result: null });
      at.type("cat mine.txt\r");
      await at.sees("\r\nmine");
      await expect(other.wraps.rewind(at.handle.runId, 99)).rejects.toMatchObject({
        message: expect.stringContaining("no checkpoint 99"),
      });
      at.type("exit\r");
      await at.result;
      await expect(other.wraps.checkpoint(at.handle.runId)).rejects.toMatchObject({ code: "input.invalid" });
    } finally {
      await other.close();
    }
  });

  it("makes a checkpoint by itself when a turn is over and something has changed", async () => {
    const at = await openAtTerminal(test.dock, { command: ["bash", "--norc"], workspace: makeWorkspace() });
    at.type("echo turn > turn.txt\r");
    const reasons = async () => (await test.dock.wraps.checkpoints(at.handle.runId)).map(({ reason }) => reason);
    await expect.poll(reasons, { timeout: 30_000 }).toEqual(["start", "turn"]);
    at.type("true\r");
    at.type("exit\r");
    await at.result;
    expect(await reasons()).toEqual(["start", "turn", "end"]);
  });

  it("that has ended is rewound by a run of its own, which can be delivered", async () => {
    const workspace = makeWorkspace();
    const before = describeTree(workspace);
    const at = await openAtTerminal(test.dock, { command: ["bash", "--norc"], workspace });
    at.type("rm -r dir; echo good > good.txt; echo ok\r");
    await at.sees("\r\nok");
    const { number } = await at.handle.checkpoint();
    at.type("echo bad > good.txt; rm a.txt; exit\r");
    const ended = await at.result;
    const { runId, result } = await test.dock.wraps.rewind(ended.runId, number);
    expect(runId).not.toBe(ended.runId);
    expect(result).toMatchObject({ verdict: "unverified", delivery: "kept" });
    await test.dock.runs.apply(runId);
    expect(describeTree(workspace)).toEqual([
      ...before.filter((line) => !line.startsWith("dir/")).slice(0, 1),
      expect.stringMatching(/^good\.txt \d+ Z29vZAo=$/),
      ...before.filter((line) => !line.startsWith("dir/")).slice(1),
    ]);
    await test.dock.runs.revert(runId);
    expect(describeTree(workspace)).toEqual(before);
  });

  it("goes on from an earlier one, on the workspace as it is now", async () => {
    const workspace = makeWorkspace();
    const first = await test.dock.wraps.run({ command: ["sh", "-c", "echo kept > kept.txt"], workspace });
    writeFileSync(join(workspace, "meanwhile.txt"), "by hand\n");
    mkdirSync(join(workspace, "made"));
    const outputs: string[] = [];
    const second = await test.dock.wraps.run({
      command: ["sh", "-c", "cat kept.txt meanwhile.txt; echo more >> kept.txt"],
      workspace,
      from: first.runId,
      onOutput: ({ text }) => outputs.push(text),
    });
    expect(outputs.join("")).toBe("kept\nby hand\n");
    expect(second.changes).toEqual([{ path: "kept.txt", kind: "added" }]);
  });
});
