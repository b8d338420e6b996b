import { Binding, HostEvent } from "@drydock/protocol";
import { expect, it } from "vitest";
import { chooseBinding } from "./choose-binding.ts";

let made = 0;
const binding = (settings: object) =>
  Binding.parse({ agent: "a", ...settings, id: `bnd_${made++}`, createdAt: "2026-01-01T00:00:00Z" });
const event = HostEvent.parse({
  type: "message.received",
  conversation: { conversation_id: "c", thread_id: "t", bot_id: "b", workspace_id: "w", launcher_id: "l" },
  actor: { actor_type: "user", actor_id: "ann" },
  input: { text: "/ticket open" },
});
const TICKETS = { field: "input.text", op: "prefix", values: ["/ticket"] };
const BUGS = { field: "input.text", op: "prefix", values: ["/bug"] };

it.each([
  ["a narrower scope", { scope: "conversation", value: "c" }, { scope: "bot", value: "b", priority: 9 }],
  ["a thread before its conversation", { scope: "thread", value: "t" }, { scope: "conversation", value: "c" }],
  ["an exact type", { event: "message.received" }, { event: "message.*", priority: 9 }],
  ["a name space before everything", { event: "message.*" }, { event: "*", priority: 9 }],
  ["a higher priority", { priority: 2 }, { priority: 1 }],
])("%s wins, in whatever order they were saved", (_name, winner, loser) => {
  const [first, second] = [binding(winner), binding(loser)];
  for (const order of [
    [first, second],
    [second, first],
  ]) {
    const route = chooseBinding(order, event);
    expect(route.binding?.id).toBe(first.id);
    expect(route.others.map(({ id }) => id)).toEqual([second.id]);
    expect(route.reason).toContain(second.id);
  }
});

it.each([
  ["another type", { event: "member.*" }, "No binding is for events of the type message.received."],
  ["another conversation", { scope: "conversation", value: "x" }, "in the scope of none"],
  ["a type that only begins alike", { event: "message.receive" }, "No binding is for events"],
])("a binding for %s does not take the event, and the reason is said", (_name, settings, reason) => {
  expect(chooseBinding([binding(settings)], event)).toMatchObject({
    binding: null,
    reason: expect.stringContaining(reason),
  });
});

it("a binding whose filters the event does not fit is passed over, whatever its rank, and the reason is said", () => {
  const narrow = binding({ scope: "thread", value: "t", priority: 9, filters: [TICKETS, BUGS] });
  const fitting = binding({ filters: [TICKETS] });
  const route = chooseBinding([narrow, fitting], event);
  expect(route.binding?.id).toBe(fitting.id);
  expect(route.reason).toBe(
    `Only ${fitting.id} (message.received, everywhere, input.text begins with "/ticket") fits.`,
  );
  expect(route.others).toEqual([
    {
      id: narrow.id,
      reason: expect.stringContaining(
        'its filter `input.text begins with "/bug"` does not fit: the event has "/ticket open"',
      ),
    },
  ]);
});

it("an event that fits no filter is taken by none", () => {
  const { binding: taken, reason, others } = chooseBinding([binding({ filters: [BUGS] })], event);
  expect(taken).toBe(null);
  expect(reason).toContain("does not fit the filters");
  expect(others).toHaveLength(1);
});
