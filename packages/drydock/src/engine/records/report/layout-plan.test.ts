import fc from "fast-check";
import { expect, test } from "vitest";
import { layoutPlan, type PlanNode } from "./layout-plan.ts";

const SIZES = { nodeWidth: 200, nodeHeight: 50, layerGap: 40, neighbourGap: 20, pageWidth: 1000 };

const plans = fc.array(fc.array(fc.nat(), { maxLength: 4 }), { minLength: 1, maxLength: 40 }).map((lists): PlanNode[] =>
  lists.map((list, index) => ({
    id: `t${index}`,
    dependsOn: index === 0 ? [] : list.map((other) => `t${other % index}`),
  })),
);

test("whatever the plan, no two tasks overlap, each stands after what it depends on, and all are inside", () => {
  fc.assert(
    fc.property(plans, (tasks) => {
      const { nodes, direction, width, height } = layoutPlan(tasks, SIZES);
      expect(nodes).toHaveLength(tasks.length);
      const byId = new Map(nodes.map((node) => [node.id, node]));
      const main = direction === "right" ? "x" : "y";
      for (const { id, dependsOn } of tasks) {
        for (const other of dependsOn) expect(byId.get(id)?.[main]).toBeGreaterThan(byId.get(other)?.[main] ?? 0);
      }
      for (const [index, one] of nodes.entries()) {
        expect(one.x - SIZES.nodeWidth / 2).toBeGreaterThanOrEqual(-0.01);
        expect(one.x + SIZES.nodeWidth / 2).toBeLessThanOrEqual(width + 0.01);
        expect(one.y - SIZES.nodeHeight / 2).toBeGreaterThanOrEqual(-0.01);
        expect(one.y + SIZES.nodeHeight / 2).toBeLessThanOrEqual(height + 0.01);
        for (const other of nodes.slice(index + 1)) {
          const apart =
            Math.abs(one.x - other.x) >= SIZES.nodeWidth - 0.01 || Math.abs(one.y - other.y) >= SIZES.nodeHeight - 0.01;
          expect(apart).toBe(true);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test("no line runs through a task that it does not belong to", () => {
  const tasks = [
    { id: "a", dependsOn: [] },
    { id: "b", dependsOn: ["a"] },
    { id: "c", dependsOn: ["b"] },
    { id: "d", dependsOn: ["c", "a"] },
  ];
  const { nodes, edges } = layoutPlan(tasks, SIZES);
  const long = edges.find(({ from, to }) => from === "a" && to === "d");
  expect(long?.points).toHaveLength(4);
  for (const point of long?.points.slice(1, -1) ?? []) {
    const under = nodes.filter(
      ({ x, y }) => Math.abs(x - point.x) < SIZES.nodeWidth / 2 && Math.abs(y - point.y) < SIZES.nodeHeight / 2,
    );
    expect(under).toEqual([]);
  }
});

test("a short plan runs to the right, a long one downwards, and a cycle is drawn all the same", () => {
  const chain = (length: number) =>
    Array.from({ length }, (_, index) => ({ id: `t${index}`, dependsOn: index === 0 ? [] : [`t${index - 1}`] }));
  expect(layoutPlan(chain(3), SIZES)).toMatchObject({ direction: "right", height: 50 });
  expect(layoutPlan(chain(12), SIZES)).toMatchObject({ direction: "down", width: 200 });
  const cycle = [
    { id: "a", dependsOn: ["b"] },
    { id: "b", dependsOn: ["a", "gone"] },
  ];
  expect(layoutPlan(cycle, SIZES).nodes).toHaveLength(2);
});

test("names that mean something to JavaScript are names like any other", () => {
  const tasks = [
    { id: "__proto__", dependsOn: [] },
    { id: "constructor", dependsOn: ["__proto__"] },
    { id: "toString", dependsOn: ["constructor", "__proto__"] },
  ];
  const { nodes, edges } = layoutPlan(tasks, SIZES);
  expect(nodes.map(({ id }) => id)).toEqual(["__proto__", "constructor", "toString"]);
  expect(edges.map(({ from, to }) => `${from} ${to}`)).toEqual([
    "__proto__ constructor",
    "constructor toString",
    "__proto__ toString",
  ]);
});
