import { type BindingFilter, HostEvent } from "@drydock/protocol";
import { expect, it } from "vitest";
import { canFitTogether, describeFilter, findMisfit } from "./event-filters.ts";

const filter = (field: string, op: BindingFilter["op"], ...values: string[]): BindingFilter => ({ field, op, values });
const event = HostEvent.parse({
  type: "message.received",
  conversation: { conversation_id: "c", launcher_type: "group" },
  actor: { actor_type: "user", actor_id: "ann" },
  input: { text: "/ticket open" },
  data: { count: 3, urgent: true, labels: ["a", "b"], repository: { name: "dock" }, constructor: "own" },
});

it.each([
  ["a text", filter("conversation.launcher_type", "is", "person", "group"), true],
  ["another text", filter("conversation.launcher_type", "is", "person"), false],
  ["a beginning", filter("input.text", "prefix", "/ticket"), true],
  ["a beginning in other letters", filter("input.text", "prefix", "/Ticket"), false],
  ["a number", filter("data.count", "is", "3"), true],
  ["a boolean", filter("data.urgent", "is", "true"), true],
  ["a field of a field", filter("data.repository.name", "not", "other"), true],
  ["a field that is not there", filter("data.missing", "not", "x"), true],
  ["a field that is not there, by value", filter("data.missing", "is", "x"), false],
  ["a field that must be missing", filter("subject.subject_id", "missing"), true],
  ["a list, which has no text", filter("data.labels", "is", "a"), false],
  ["a list, which is there", filter("data.labels", "exists"), true],
  ["a name that every object has", filter("data.toString", "exists"), false],
  ["an own field of such a name", filter("data.constructor", "is", "own"), true],
  ["a field of a text", filter("data.repository.name.length", "exists"), false],
])("an event is tested by %s", (_name, one, doesFit) => {
  expect(findMisfit([one], event)).toEqual(doesFit ? undefined : one);
});

it.each([
  ["other values", [filter("input.text", "is", "a"), filter("input.text", "is", "b")], false],
  ["a common value", [filter("input.text", "is", "a", "b"), filter("input.text", "is", "b", "c")], true],
  ["a value and its exclusion", [filter("input.text", "is", "a"), filter("input.text", "not", "a", "b")], false],
  ["an exclusion that leaves one", [filter("input.text", "is", "a", "c"), filter("input.text", "not", "a")], true],
  ["other fields", [filter("input.text", "is", "a"), filter("data.x", "is", "b")], true],
  ["beginnings that differ", [filter("input.text", "prefix", "/a"), filter("input.text", "prefix", "/b")], false],
  ["a longer beginning", [filter("input.text", "prefix", "/a"), filter("input.text", "prefix", "/ab", "/x")], true],
  ["a value without the beginning", [filter("input.text", "is", "a"), filter("input.text", "prefix", "/")], false],
  ["a value and a field that is missing", [filter("data.x", "is", "a"), filter("data.x", "missing")], false],
  ["there and missing", [filter("data.x", "exists"), filter("data.x", "missing")], false],
  ["none of two and missing", [filter("data.x", "not", "a", "b"), filter("data.x", "missing")], true],
  ["none of two, and there", [filter("data.x", "not", "a", "b"), filter("data.x", "exists")], true],
  [
    "three beginnings of which no two agree in one text",
    [
      filter("input.text", "prefix", "a", "b"),
      filter("input.text", "prefix", "ax", "bx"),
      filter("input.text", "prefix", "ay"),
    ],
    false,
  ],
  ["no filters", [], true],
])("filters are compared: %s", (_name, filters, canFit) => {
  expect(canFitTogether(filters)).toBe(canFit);
  expect(canFitTogether(filters.toReversed())).toBe(canFit);
});

it("filters that are said to exclude each other never fit one event", () => {
  const values = ["", "a", "ab", "b", "ba"];
  const ops = ["is", "not", "prefix", "exists", "missing"] as const;
  const all = ops.flatMap((op) => {
    if (op === "exists" || op === "missing") return [filter("data.x", op)];
    return values.slice(1).flatMap((one) => values.slice(1).map((two) => filter("data.x", op, one, two)));
  });
  const events = [{}, ...values.map((x) => ({ x }))].map((data) => HostEvent.parse({ type: "a.b", data }));
  for (const one of all)
    for (const two of all) {
      const isTaken = events.some((each) => findMisfit([one, two], each) === undefined);
      if (isTaken) expect(canFitTogether([one, two]), `${describeFilter(one)}; ${describeFilter(two)}`).toBe(true);
    }
});
