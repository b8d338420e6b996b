import assert from "node:assert/strict";
import test from "node:test";
import { duration, order, runAll } from "./schedule.js";

const tasks = {
  build: { needs: ["fetch"], hours: 3 },
  fetch: { hours: 1 },
  test: { needs: ["build"], hours: 2 },
  lint: { needs: ["fetch"], hours: 1 },
};

test("orders", () => assert.deepEqual(order(tasks), ["fetch", "build", "lint", "test"]));
test("finds circles", () => {
  assert.throws(() => order({ a: { needs: ["b"] }, b: { needs: ["a"] } }), { message: "circle: a > b > a" });
});
test("finds unknown tasks", () => assert.throws(() => order({ a: { needs: ["b"] } }), /unknown task: b/));
test("counts hours", () => {
  assert.equal(duration(tasks), 6);
  assert.equal(duration({}), 0);
});
test("runs", async () => {
  const ran = [];
  const results = await runAll(tasks, async (name) => {
    ran.push(name);
    if (name === "build") throw new Error("broken");
  });
  assert.deepEqual(results, { fetch: "done", build: "failed: broken", lint: "done", test: "skipped" });
  assert.deepEqual(ran, ["fetch", "build", "lint"]);
});
