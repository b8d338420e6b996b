import { expect, it } from "vitest";
import { searchRepair } from "../../src/engine/repair/index.ts";
import { makeMutableTree } from "../strength/mutable-tree.ts";
import { openTestDock } from "../testing/test-dock.ts";
import { createDockRunner, type Files, POLICY } from "../verify/judge.ts";
import { pythonWith, scriptWith } from "./hostile-candidates.ts";

const test = openTestDock();

/** A search with candidates among them that do this harm, and how each use of a sandbox for candidates ended. */
async function search(files: Files, cmd: string) {
  const runner = createDockRunner(test.dock);
  const endings: (string | null)[] = [];
  const watched: typeof runner = {
    async run(request) {
      const result = await runner.run(request);
      if (request.stdin?.includes('"job":"tests"')) endings.push(result.error?.code ?? null);
      return result;
    },
  };
  const outcome = await searchRepair(
    {
      ...{ tree: makeMutableTree(files), checks: [{ type: "command", cmd }], scope: ["**"], seed: 1 },
      limits: { seconds: 150, candidates: 250 },
    },
    { runner: watched, policy: POLICY, concurrency: 2 },
  );
  return { outcome, endings };
}

it.each([
  ["Python", pythonWith("os.kill(-1, signal.SIGSTOP)"), "pytest -q"],
  ["Node", scriptWith('process.kill(-1, "SIGSTOP");'), "node --test"],
])(
  "in %s, a candidate that stops the process that judges it costs itself, and not the time limit of its sandbox",
  async (_, files, cmd) => {
    const { outcome, endings } = await search(files, cmd);
    expect(outcome.found[0]?.writes[0]?.content).toContain("return width * height");
    expect(endings).not.toContain("limit.timeout");
  },
  300_000,
);
