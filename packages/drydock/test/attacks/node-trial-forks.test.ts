import { afterAll, beforeAll, expect, test } from "vitest";
import { NODE_COPY_DRIVER } from "../../src/engine/repair/script/node-copy-driver.ts";
import { NODE_ZYGOTE } from "../../src/engine/repair/script/node-zygote.ts";
import { openTreeDock, type TreeDock } from "../testing/tree-dock.ts";
import { NODE_HARM } from "./node-trial-forks-harm.ts";

const CALC = 'import * as harm from "./harm.js";\nexport const act = () => 0;\nexport { harm };\n';
const FILES = {
  "package.json": '{ "type": "module" }',
  "harm.js": NODE_HARM,
  "calc.js": CALC,
  "calc.test.js":
    'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { act } from "./calc.js";\ntest("act", async () => assert.equal(await act(), 3));\n',
};

/** Each is a candidate: an expression in the place of what `act` returns. */
const HARMS = [
  ...["leaveProcesses()", "writeEverywhere()", "deleteEverything()", "patchTheRealm()", "killAll()", "stopAll()"],
  ...["answerForOthers()", "openSockets()", "endEarly()", "abort()", "goRound()", "sleepOn()", "fillTheMemory()"],
  "forkWithoutEnd()",
];

let dock: TreeDock;
beforeAll(async () => {
  dock = await openTreeDock();
});
afterAll(() => dock.close());

/** After each candidate that does harm, one looks for traces of it, and is right if there are none; another one is wrong. */
const probed = HARMS.flatMap((harm) => [`harm.${harm}`, "harm.findNothing()", "1"]);

test("what a Node candidate does in a trial fork reaches neither the next one nor who judges it", async () => {
  const at = CALC.indexOf("0");
  const candidates = probed.map((code, id) => ({ id, edits: [["calc.js", at, at + 1, code]] }));
  const request = {
    ...{ job: "tests", kind: "node", environment: {}, files: ["calc.js"], patterns: [], guarded: {}, errors: 0 },
    ...{ failing: ["calc.test.js:4:act"], passing: [], allowedMs: 2000, copyMs: 2000, nodeMb: 150, memoryMb: 0 },
    ...{ loadSeconds: 3, wallSeconds: 6, seconds: 300, hasHosts: false, zygote: NODE_ZYGOTE, candidates },
  };
  const { stdout, stderr, error } = await dock.run(dock.makeWorkspace(FILES), {
    ...{ layer: null, command: ["python3", "-c", NODE_COPY_DRIVER], stdin: JSON.stringify(request), forks: true },
    timeoutSeconds: 400,
  });
  expect(error, stderr + stdout.slice(-400)).toBeNull();
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter((line) => line.copies === false)).toEqual([]);
  const judged = new Map(lines.filter((line) => "candidate" in line).map((line) => [line.candidate, line.fixed]));
  for (const [id, code] of probed.entries()) {
    // Harm may forge its own result, and nothing else.
    const expected = id % 3 === 0 ? expect.any(Number) : id % 3 === 1 ? 1 : 0;
    expect([code, probed[id - 1], judged.get(id)]).toEqual([code, probed[id - 1], expected]);
  }
}, 300_000);
