import { expect, it } from "vitest";
import type { ExpectingFile } from "../../../mutate/index.ts";
import { type CheckFinding, failed, passed } from "../../check-finding.ts";
import { planTestRounds } from "./plan-rounds.ts";
import type { ControlOptions } from "./try-control.ts";
import { tryRounds } from "./try-rounds.ts";

const ID = "t.py::test_a";
const FILE: ExpectingFile = {
  path: "t.py",
  text: "assert f() == 5\n",
  expectations: [{ test: "test_a", isReached: true, splices: [{ start: 14, end: 15, replacement: "6" }] }],
  tests: [],
};

/** A check of one test, which is told to end in this way. */
async function control(answer: (isSpoilt: boolean, asked: number) => CheckFinding) {
  let asked = 0;
  const tree = { edit: async (edits: { content: Buffer }[]) => ({ ...tree, text: String(edits[0]?.content) }) };
  const options = {
    ...{ check: { type: "command", cmd: "pytest" }, newlyPassing: [ID], context: { tree } },
    judge: async (_check: unknown, context: { tree: { text: string } }) => {
      const { verdict, ...rest } = answer(context.tree.text.includes("== 6"), asked++);
      const outcome = verdict === "passed" ? "passed" : "failed";
      const tests = [{ id: ID, outcome, runner: "pytest", file: "t.py" }];
      return { ...rest, verdict, ran: { report: { tests }, observed: null, wrote: [] } };
    },
  };
  const tried = await tryRounds(planTestRounds([FILE], [ID]), null, options as unknown as ControlOptions);
  return { tried, asked };
}

const FAILED = failed("exit_code", "It ended with status 1.");
const LATE = failed("timeout", '"node --test" did not finish within 5 s.');

it("fails as it should where the wrong expectation fails the test and the comment does not", async () => {
  const { tried, asked } = await control((isSpoilt) => (isSpoilt ? FAILED : passed("")));
  expect(tried).toMatchObject({ kind: "expectations", failed: true, survivors: [], isFinal: false });
  expect(asked).toBe(2);
});

it("names a test that passes with its own expectation made wrong", async () => {
  const { tried } = await control(() => passed(""));
  expect(tried).toMatchObject({ survivors: [ID], isFinal: true });
});

it("names a test that a comment fails", async () => {
  const { tried } = await control(() => FAILED);
  expect(tried).toMatchObject({ failed: false, survivors: [ID], isFinal: true });
  expect(tried?.reason).toContain("With a comment added to the test files");
});

it("asks again what gave no answer beside the others", async () => {
  const { tried, asked } = await control((isSpoilt, at) => (isSpoilt ? (at < 2 ? LATE : FAILED) : passed("")));
  expect(tried).toMatchObject({ kind: "expectations", failed: true, survivors: [] });
  expect(asked).toBe(3);
});

it("is none where it gives no answer alone either: that is no failure as it should be", async () => {
  const { tried } = await control((isSpoilt) => (isSpoilt ? LATE : passed("")));
  expect(tried).toMatchObject({ kind: "none", failed: null, isFinal: true });
  expect(tried?.reason).toBe('No control was made: "node --test" did not finish within 5 s.');
});
