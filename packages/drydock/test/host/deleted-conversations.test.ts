import { afterAll, beforeAll, expect, it } from "vitest";
import { type Caller, type CallerAgent, openCaller } from "./testing/open-caller.ts";

let caller: Caller;
let agent: CallerAgent;

beforeAll(async () => {
  caller = await openCaller();
  agent = await caller.addAgent({});
});
afterAll(() => caller.close());

/** A conversation with a run that waits for what never comes. It is deleted, and `during` is called when that run has ended. */
async function deleteDuring<T>(conversation_id: string, during: () => T): Promise<{ id: string; result: T }> {
  const { conversations } = caller.dock.host;
  const conversation = { conversation_id, bot_id: agent.bot };
  await agent.send({ calls: [["state_set", { scope: "conversation", key: "old", value: 1 }]] }, {}, { conversation });
  const [found] = (await conversations.list({ identity: conversation })).conversations;
  const started = Promise.withResolvers<void>();
  const meanwhile = Promise.withResolvers<{ result: T }>();
  const waiting = agent.send(
    { gate: "never" },
    {
      onStep({ type }) {
        if (type === "run.started") started.resolve();
        if (type === "run.ended") meanwhile.resolve({ result: during() });
      },
    },
    { conversation },
  );
  await started.promise;
  await conversations.delete(found?.id ?? "");
  expect(await waiting).toMatchObject({ ok: false, error: { code: "run.cancelled" } });
  return { id: found?.id ?? "", ...(await meanwhile.promise) };
}

it("messages that come while their conversation is deleted begin a new one, and none of them is lost", async () => {
  const conversation = { conversation_id: "deleted", bot_id: agent.bot };
  const set = (key: string) => ({ calls: [["state_set", { scope: "conversation", key, value: 1 }]] as const });
  const { id, result } = await deleteDuring("deleted", () =>
    ["one", "two", "three"].map((key) => agent.send(set(key), {}, { conversation })),
  );
  expect(await Promise.all(result)).toMatchObject(result.map(() => ({ kind: "answered", ok: true })));
  const { messages } = await caller.dock.host.conversations.messages(id, { direction: "forward" });
  expect(messages.map(({ role }) => role).sort()).toEqual([...Array(3).fill("assistant"), ...Array(3).fill("user")]);
  const { answers } = await agent.ask({ calls: [["state_list", { scope: "conversation" }]] }, {}, { conversation });
  const { items } = answers[0] as { items: { key: string }[] };
  expect(items.map(({ key }) => key).sort()).toEqual(["one", "three", "two"]);
});

it("a run that a platform creates meanwhile belongs to the new conversation", async () => {
  const { runs, conversations } = caller.dock.host;
  const conversation = { conversation_id: "controlled", bot_id: agent.bot };
  const event = { type: "message.received", conversation, input: { text: "hello" } };
  const { id, result } = await deleteDuring("controlled", () => runs.create({ agent: agent.name, event }));
  const { runId, token } = await result;
  const end = { token, status: "completed", message: { role: "assistant", content: "done" } } as const;
  expect(await runs.finalize(runId, end)).toMatchObject({ ended: true, ok: true });
  const { messages } = await conversations.messages(id, { direction: "forward" });
  expect(messages.map(({ text }) => text)).toEqual(["hello", "done"]);
});
