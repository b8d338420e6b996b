import { availableParallelism } from "node:os";
import { describe, expect, it } from "vitest";
import { type CheckFinding, failed, passed } from "../../check-finding.ts";
import type { JudgeContext } from "../../judge-context.ts";
import { makeTree } from "../../testing/directory-tree.ts";
import { startResultsEarly } from "./start-results-early.ts";

const CHECK = { type: "command", cmd: "pytest -q" } as const;
const PIN = ["tests/test_add.py"];

function found(touched: readonly string[] | null, finding = passed("")): CheckFinding {
  return { ...finding, ran: { report: null, observed: null, wrote: [], touched } };
}

function contextOf({ network = [], concurrency = 4 }: { network?: string[]; concurrency?: number } = {}): JudgeContext {
  const policy = { limits: { concurrency }, network: { allow: network } };
  return { tree: makeTree({}), policy, services: [], noteChanged: () => {} } as unknown as JudgeContext;
}

/** What is taken after a run of which this was found, and in which contexts it ran. */
async function take(finding: CheckFinding | Error, context = contextOf()) {
  const contexts: JudgeContext[] = [];
  const early = startResultsEarly();
  early.begin(CHECK, context, async (_check, own) => {
    contexts.push(own);
    if (finding instanceof Error) throw finding;
    return finding;
  });
  const taken = await early.take(CHECK, PIN);
  await early.end();
  return { taken, contexts };
}

describe.skipIf(availableParallelism() < 2)("the judged run beside that of the untouched tree", () => {
  it("counts where it wrote to nothing that must stay as it is", async () => {
    const { taken, contexts } = await take(found(["add.py", "tests/__pycache__/test_add.pyc"]));
    expect(taken?.finding.verdict).toBe("passed");
    expect(contexts).toMatchObject([{ aside: true, watch: "observe", pin: [] }]);
  });

  it.each([
    ["wrote to a test", found(["tests/test_add.py"])],
    ["replaced the directory of a test", found(["tests"])],
    ["was not seen by the sandbox", found(null)],
    ["did not pass", found([], failed("exit_code", "Status 1."))],
    ["could not be made", new Error("no place for it")],
  ])("does not count where it %s", async (_name, finding) => {
    expect((await take(finding)).taken).toBeNull();
  });

  it.each([
    ["it can reach what the other one reaches", contextOf({ network: ["example.com"] })],
    ["only one run may be under way", contextOf({ concurrency: 1 })],
  ])("is not begun where %s", async (_name, context) => {
    const { taken, contexts } = await take(found([]), context);
    expect({ taken, contexts }).toEqual({ taken: null, contexts: [] });
  });

  it("is ended when nobody waits for it", async () => {
    const early = startResultsEarly();
    let signal: AbortSignal | undefined;
    const begun = new Promise<void>((resolve) => {
      early.begin(CHECK, contextOf(), async (_check, own) => {
        signal = own.signal;
        resolve();
        return new Promise((_resolve, reject) =>
          own.signal?.addEventListener("abort", () => reject(own.signal?.reason)),
        );
      });
    });
    await begun;
    await early.end();
    expect(signal?.aborted).toBe(true);
  });
});
