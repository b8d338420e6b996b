import { DrydockError } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { type RepairProgress, type RepairRequest, searchRepair } from "../../src/engine/repair/index.ts";
import { makeMutableTree } from "../strength/mutable-tree.ts";
import { POLICY } from "../verify/judge.ts";
import { createScriptedRunner, type DriverRequest, reportAll, SURVEY } from "./scripted-runner.ts";

/** One line with more than 400 possible edits. */
const LONG =
  "export const add = (a, b, c, d) => [a - b * c, d + (a - 1) * (b - 2), a < b ? c : d, Math.max(a, b, c), b % d, [c, d].slice(1)];\n";
const FILES = { "a.js": LONG, "a.test.js": "import './a.js';\n" };

/** A search whose sandboxes answer as written. */
function search(
  answer: (request: DriverRequest) => object[] | Promise<object[]>,
  options: Partial<RepairRequest> = {},
  confirm?: () => Promise<number>,
) {
  const request: RepairRequest = {
    tree: makeMutableTree(FILES),
    checks: [{ type: "command", cmd: "node --test" }],
    ...{ scope: ["**"], seed: 1, limits: { seconds: 20, candidates: 10_000 } },
    ...options,
  };
  return searchRepair(request, { runner: createScriptedRunner(answer, confirm), policy: POLICY, concurrency: 2 });
}

it("a test that was ended on the untouched files may execute any line", async () => {
  const ended = { ...SURVEY, tests: [["a.test.js:2:fails", false, null]], lines: [] };
  const answer = (request: DriverRequest) =>
    request.job === "survey" ? [{ survey: ended }] : reportAll(request, { fixed: 0, failing: 1 });
  const outcome = await search(answer, { limits: { seconds: 20, candidates: 100 } });
  expect(outcome).toMatchObject({ stopped: "limit", tried: 100, localisation: { method: "none" } });
});

describe("the progress of a search", () => {
  const improve = (request: DriverRequest) =>
    request.job === "survey" ? [{ survey: SURVEY }] : reportAll(request, { fixed: 1, failing: 1 });

  it("comes in its order, and before the outcome", async () => {
    const seen: RepairProgress[] = [];
    const tree = makeMutableTree(FILES);
    // The first description takes longer than those after it.
    await import("diff");
    let delayMs: number | null = null;
    const read: typeof tree.read = async (path) => {
      const waitMs = delayMs ?? 0;
      if (delayMs !== null) delayMs = 0;
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      return tree.read(path);
    };
    const answer = (request: DriverRequest) => {
      if (request.job === "tests") delayMs ??= 500;
      return improve(request);
    };
    const { tried } = await search(answer, {
      ...{ tree: { ...tree, read }, limits: { seconds: 20, candidates: 900 } },
      onProgress: (progress) => seen.push(progress),
    });
    const counts = seen.map((progress) => progress.tried);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts.at(-1)).toBe(tried);
    expect(seen.length).toBeGreaterThan(3);
  });

  it("is told without the best change where somebody edits the file meanwhile", async () => {
    const seen: RepairProgress[] = [];
    const tree = makeMutableTree(FILES);
    const edited = new DrydockError("delivery.conflict", "The file was edited.", "");
    let isEdited = false;
    let batches = 0;
    const read: typeof tree.read = async (path) => {
      if (isEdited) throw edited;
      return tree.read(path);
    };
    const answer = (request: DriverRequest) => {
      isEdited = request.job === "tests" && ++batches > 2;
      return improve(request);
    };
    const searching = search(answer, {
      ...{ tree: { ...tree, read }, limits: { seconds: 20, candidates: 900 } },
      onProgress: (progress) => seen.push(progress),
    });
    await expect(searching).rejects.toBe(edited);
    expect(seen.at(-1)).toMatchObject({ phase: "search", best: null });
  });

  it("ends the search with the error of the one who listens", async () => {
    const failure = new Error("nobody listens");
    const onProgress = () => {
      throw failure;
    };
    await expect(search(improve, { onProgress, limits: { seconds: 20, candidates: 100 } })).rejects.toBe(failure);
  });
});

describe("several commands", () => {
  const checks: RepairRequest["checks"] = ["one", "two", "three", "four"].map((cmd) => ({ type: "command", cmd }));
  const passing = { ...SURVEY, tests: [["command", true, 0.01]] };

  it("are all surveyed until one fails, also after one that can't be run", async () => {
    const commands: string[] = [];
    const outcome = await search(
      ({ job, shell = "" }) => {
        if (job !== "survey") return [{ unable: "nothing is tried here" }];
        commands.push(shell);
        return shell === "one" ? [{ unable: "no program" }] : [{ survey: shell === "three" ? SURVEY : passing }];
      },
      { checks },
    );
    expect(commands).toEqual(["one", "two", "three"]);
    expect(outcome.localisation?.tests).toEqual({ passing: 1, failing: 1 });
  });

  it("say that the one can't be run where all others pass", async () => {
    const outcome = await search(
      ({ shell }) => (shell === "two" ? [{ unable: "no program" }] : [{ survey: passing }]),
      { checks },
    );
    expect(outcome.reason).toEqual({ code: "tests_unusable", message: "The tests can't be run: no program." });
  });

  it("say that tests are slow where those that ran pass and others were not run", async () => {
    const outcome = await search(() => [{ survey: { ...passing, untried: 2 } }], { checks: checks.slice(0, 1) });
    expect(outcome.reason).toEqual({
      code: "tests_too_slow",
      message: "The tests are slow. The 1 test that ran in 6 s passed, and 2 others were not run.",
    });
  });

  it("share half of the time for their surveys", async () => {
    const seconds: number[] = [];
    await search(
      (request) => {
        seconds.push(request.seconds);
        return [{ survey: passing }];
      },
      { checks, limits: { seconds: 100, candidates: 10 } },
    );
    expect(seconds).toHaveLength(4);
    expect(seconds[0]).toBeCloseTo(12.5, 0);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(30);
  });
});

describe("a search that finds nothing says why it ended:", () => {
  const answer = (result: { fixed: number; failing: number }) => (request: DriverRequest) =>
    request.job === "survey" ? [{ survey: SURVEY }] : reportAll(request, result);

  it("no more candidates may be tried", async () => {
    const outcome = await search(answer({ fixed: 0, failing: 1 }), { limits: { seconds: 60, candidates: 300 } });
    expect(outcome).toMatchObject({ stopped: "limit", tried: 300 });
  });

  it("its time is over", async () => {
    const outcome = await search(answer({ fixed: 0, failing: 1 }), { limits: { seconds: 0.01, candidates: 1e6 } });
    expect(outcome).toMatchObject({ stopped: "time" });
  });

  it("what passes in the search does not pass the whole command", async () => {
    let batches = 0;
    const outcome = await search((request) => {
      if (request.job !== "tests") return answer({ fixed: 0, failing: 1 })(request);
      const [first, ...others] = request.candidates ?? [];
      const isFirst = batches++ === 0 && first;
      return [
        ...(isFirst ? reportAll({ ...request, candidates: [first] }, { fixed: 1, failing: 0 }) : []),
        ...reportAll({ ...request, candidates: isFirst ? others : request.candidates }, { fixed: 0, failing: 1 }),
      ];
    });
    expect(outcome).toMatchObject({ stopped: "unconfirmed", found: [], bestPartial: { tests: { failing: 0 } } });
  });

  it("it was stopped, with the reason", async () => {
    let batches = 0;
    const outcome = await search((request) =>
      request.job === "tests" && batches++ > 1 ? [{ unable: "no room" }] : answer({ fixed: 0, failing: 1 })(request),
    );
    expect(outcome).toMatchObject({ stopped: "unable", reason: { message: "The search was stopped: no room." } });
    expect(outcome.tried).toBe(200);
  });
});

describe("a sandbox that fails while another one is in use", () => {
  const failure = new DrydockError("sandbox.unavailable", "The sandbox is gone.", "Try again.");
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  it("does not end the search before the other one is given up", async () => {
    let uses = 0;
    let open = 0;
    const outcome = await search(async (request) => {
      if (request.job === "survey") return [{ survey: SURVEY }];
      // The first batch finds nothing; of the second, one half fails and the other takes long.
      const use = uses++;
      if (use === 2) throw failure;
      open += 1;
      await wait(use === 3 ? 200 : 0);
      open -= 1;
      return reportAll(request, { fixed: 0, failing: 1 });
    });
    expect(open).toBe(0);
    expect(outcome).toMatchObject({
      stopped: "unable",
      reason: { message: "The search was stopped: The sandbox is gone." },
    });
  });

  it("keeps what passed in the search, and runs no more of it", async () => {
    let confirmed = 0;
    const passing = (request: DriverRequest) =>
      request.job === "survey"
        ? [{ survey: SURVEY }]
        : request.job === "tests"
          ? reportAll(request, { fixed: 1, failing: 0 })
          : [];
    const outcome = await search(passing, {}, async () => {
      if (confirmed++ === 0) throw failure;
      await wait(50);
      return 1;
    });
    const begun = confirmed;
    await wait(200);
    expect(confirmed).toBe(begun);
    expect(begun).toBeLessThan(4);
    expect(outcome).toMatchObject({ stopped: "unable", bestPartial: { tests: { failing: 0 } } });
    expect(outcome.open?.length).toBeGreaterThan(0);
  });
});

it.each<[string, () => object[]]>([
  ["makes no copies of Node", () => [{ begun: 0 }, { copies: false }]],
  ["has no Python", () => []],
  [
    "can't start a Python",
    () => {
      throw new DrydockError("sandbox.unavailable", "There is no python3.", "Install it.");
    },
  ],
])("where the sandbox %s, candidates of Node share a process", async (_, refuse) => {
  let refused = 0;
  const answer = (request: DriverRequest) => {
    if (request.job === "survey") return [{ survey: SURVEY }];
    if (request.zygote === undefined) return reportAll(request, { fixed: 0, failing: 1 });
    refused += 1;
    return refuse();
  };
  const outcome = await search(answer, { limits: { seconds: 20, candidates: 400 } });
  expect(outcome).toMatchObject({ stopped: "limit", tried: 400 });
  // Both lanes ask once, and nobody asks again.
  expect(refused).toBeLessThanOrEqual(2);
});

it("two changes that mend different tests are joined before all single ones are tried", async () => {
  const files = {
    ...FILES,
    "a.js": `${[1, 2, 3, 4].map((at) => LONG.replace("add", `add${at}`)).join("")}export const sub = (a, b) => a + b;\nexport const mul = (x, y) => x / y;\n`,
  };
  const lines = [1, 2, 3, 4, 5, 6].map((line) => [0, line, 1, 0]);
  const survey = { ...SURVEY, tests: ["sub", "mul"].map((name) => [`a.test.js:1:${name}`, false, 0.01]), lines };
  const counts: number[] = [];
  const outcome = await search(
    ({ job, candidates = [] }) => {
      if (job === "survey") return [{ survey }];
      return candidates.map(({ id, edits: [edit], texts }) => {
        const [, start, end, replacement] = edit ?? ["", 0, 0, ""];
        const source = files["a.js"];
        const text = texts?.["a.js"] ?? source.slice(0, start) + replacement + source.slice(end);
        const fixed = Number(text.includes("sub = (a, b) => a - b;")) + Number(text.includes("mul = (x, y) => x * y;"));
        return { candidate: id, late: false, fixed, failing: 2 - fixed };
      });
    },
    { tree: makeMutableTree(files), onProgress: ({ found, tried }) => counts.push(...(found > 0 ? [tried] : [])) },
  );
  expect(outcome.bestPartial).toMatchObject({ edits: 2, tests: { passing: 2, failing: 0 } });
  expect(counts[0]).toBeLessThan(3000);
});

it("a program that can't list the changes of Python source is said", async () => {
  const searching = search(() => [{ survey: SURVEY }], {
    tree: makeMutableTree({ "a.py": "def one():\n    return 2\n", "test_a.py": "from a import one\n" }),
    checks: [{ type: "command", cmd: "pytest -q" }],
  });
  await expect(searching).rejects.toMatchObject({
    code: "internal",
    message: "Drydock's own analysis of the code failed: it ended with status 1",
  });
});
