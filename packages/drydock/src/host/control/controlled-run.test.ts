import type { HostAgent, HostEvent } from "@drydock/protocol";
import { expect, it } from "vitest";
import type { HostPorts, RunRecord } from "../ports.ts";
import { createControlled } from "./controlled-run.ts";

/** A run whose ledger can't be written when `fails` says so; everything that was written is listed. */
function openRun(fails: (what: string, times: number) => boolean) {
  const written: string[] = [];
  const tries = new Map<string, number>();
  const write = async (what: string) => {
    const times = (tries.get(what) ?? 0) + 1;
    tries.set(what, times);
    if (fails(what, times)) throw new Error(`no space for ${what}`);
    written.push(what);
  };
  const record = {
    ...{ id: "run_1", cancelled: new AbortController().signal, close: () => {} },
    append: (type: string) => write(type),
    finish: (type: string) => write(type),
    storeArtifact: () => write("artifact").then(() => "art_1"),
  } as Partial<RunRecord> as RunRecord;
  const transcript = { add: () => write("transcript") };
  const ports = {
    ...{ now: () => 0, facts: { transcript } },
    deliver: () => write("delivery").then(() => true),
  } as unknown as HostPorts;
  const delivery = { reply: true, streaming: true, maxMessageChars: null };
  const agent = { name: "desk", timeoutSeconds: 60, delivery } as unknown as HostAgent;
  const event = {
    ...{ type: "message.received", delivery: { surface: "shop", reply_target: { id: 1 } } },
  } as unknown as HostEvent;
  const run = createControlled({
    ...{ ports, record, agent, event, eventId: "evt_1", conversation: "c" },
    ...{ snapshot: {} as never, onStep: () => {} },
  });
  return { run, written };
}

const message = (sequence: number, content: string) => ({
  ...{ sequence, type: "message.completed", data: { message: { role: "assistant", content } } },
});
const WHOLE = ["message.sent", "transcript", "delivery"];

it.each(["message.sent", "transcript"])(
  "a result that could not be carried out at %s is carried out by its repetition, and nothing of it twice",
  async (place) => {
    const { run, written } = openRun((what, times) => what === place && times === 1);
    await expect(run.append([message(1, "hello")])).rejects.toThrow(place);
    expect(await run.append([message(1, "hello")])).toMatchObject({ applied: 1, repeated: 0 });
    expect(written).toEqual(WHOLE);
    expect(await run.append([message(1, "hello")])).toMatchObject({ applied: 0, repeated: 1 });
    expect(written).toEqual(WHOLE);
  },
);

it("a result that failed is carried out before the next one, and a failure that stays is told each time", async () => {
  const { run, written } = openRun((what, times) => what === "transcript" && times <= 2);
  await expect(run.append([message(1, "one"), message(2, "two")])).rejects.toThrow("transcript");
  await expect(run.append([message(2, "two")])).rejects.toThrow("transcript");
  expect(await run.append([message(2, "two")])).toMatchObject({ applied: 1, repeated: 0 });
  expect(written).toEqual([...WHOLE, ...WHOLE]);
});

it("an end whose message could not be kept ends the run when it is repeated", async () => {
  const { run, written } = openRun((what, times) => what === "transcript" && times === 1);
  const end = { status: "completed", message: { role: "assistant", content: "bye" } } as const;
  await expect(run.finalize(end)).rejects.toThrow("transcript");
  expect(run.hasEnded).toBe(false);
  expect(await run.finalize(end)).toMatchObject({ applied: 1, ended: true, ok: true });
  expect(written).toEqual([...WHOLE, "run.succeeded"]);
  expect(await run.finalize(end)).toMatchObject({ applied: 0, repeated: 1, ended: true });
});

it("an artifact that was stored is not stored again where its event could not be written", async () => {
  const { run, written } = openRun((what, times) => what === "artifact.stored" && times === 1);
  const data = { artifact_type: "file", name: "a", mime_type: "text/plain", content_base64: "aGk=" };
  const results = [{ sequence: 1, type: "artifact.created", data }];
  await expect(run.append(results)).rejects.toThrow("artifact.stored");
  expect(await run.append(results)).toMatchObject({ applied: 1 });
  expect(written).toEqual(["artifact", "artifact.stored"]);
});
