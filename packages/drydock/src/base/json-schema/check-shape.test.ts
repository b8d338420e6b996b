import { Plan } from "@drydock/protocol";
import { expect, test } from "vitest";
import * as z from "zod";
import { checkShape } from "./index.ts";

const schema = z.toJSONSchema(Plan, { io: "input" });

test("a value that fits has no problems", async () => {
  const tasks = [{ id: "t1", checks: [{ type: "file_exists", path: "a.py" }] }];
  expect(await checkShape({ goal: "g", tasks }, schema)).toEqual([]);
});

test("what does not fit is named with its place and what is wanted", async () => {
  const value = { tasks: [{ id: "t/1", checks: [], "über 1": 1 }], more: 2 };
  expect((await checkShape(value, schema)).sort()).toEqual([
    "/more is not allowed",
    "/tasks/0/checks must have minItems 1",
    expect.stringMatching(/^\/tasks\/0\/id must have pattern "/),
    "/tasks/0/über 1 is not allowed",
    "the whole value lacks goal",
  ]);
});

test("of several shapes only the one that was meant is spoken of", async () => {
  const value = { goal: "g", tasks: [{ id: "t1", checks: [{ type: "file_contains", path: "a.py" }] }] };
  const problems = await checkShape(value, schema);
  expect(problems).toContain("/tasks/0/checks/0 lacks needle");
  expect(problems.join()).not.toContain("cmd");
  const unknown = { goal: "g", tasks: [{ id: "t1", checks: [{ type: "magic" }] }] };
  expect((await checkShape(unknown, schema)).join()).toContain("/tasks/0/checks/0 has none of the shapes");
});

test("a schema that refers to another place is refused, and nothing is fetched", async () => {
  await expect(checkShape(1, { $ref: "http://127.0.0.1:9/schema" })).rejects.toMatchObject({ code: "input.invalid" });
  await expect(checkShape("a", { $defs: { s: { type: "string" } }, $ref: "#/$defs/s" })).resolves.toEqual([]);
});

test("the same schema can be used many times at once", async () => {
  const named = { $id: "https://example.org/fruit", type: "string" };
  const all = await Promise.all(["a", 1, "b", 2].map((value) => checkShape(value, named)));
  expect(all.map((problems) => problems.length)).toEqual([0, 1, 0, 1]);
});
