import { expect, it } from "vitest";
import type { RunRecord } from "../ports.ts";
import { foldEvents, MOST_EVENTS } from "./fold-events.ts";

function openRecord() {
  const written: { type: string; data: Record<string, unknown> }[] = [];
  const write = async (type: string, data: Record<string, unknown>) => void written.push({ type, data });
  const record = foldEvents({ append: write, finish: write } as Partial<RunRecord> as RunRecord);
  return { record, written };
}

it("a run that calls its whole deadline long leaves a record of bounded size, which says how many calls there were", async () => {
  const { record, written } = openRecord();
  const calls = 100_000;
  for (let index = 0; index < calls; index++) {
    const isRefused = index % 4 === 0;
    await record.append("host.called", {
      ...{ method: "state_get", ok: !isRefused },
      ...(isRefused && { code: "unauthorized" }),
    });
  }
  await record.append("message.sent", { text: "done" });
  await record.finish("run.succeeded", {});
  expect(written.filter(({ type }) => type === "host.called")).toHaveLength(MOST_EVENTS);
  expect(written.length).toBeLessThan(MOST_EVENTS + 25);
  const folded = calls - MOST_EVENTS;
  expect(written.slice(-3)).toEqual([
    { type: "message.sent", data: { text: "done" } },
    {
      type: "events.folded",
      data: {
        ...{ type: "host.called", count: folded },
        kinds: { "state_get ok": (folded / 4) * 3, "state_get unauthorized": folded / 4 },
      },
    },
    { type: "run.succeeded", data: {} },
  ]);
});

it("calls of models are counted by model and purpose", async () => {
  const { record, written } = openRecord();
  const call = { model: "local/small", purpose: "embedding" };
  for (let index = 0; index < MOST_EVENTS + 2; index++) await record.append("model.called", call);
  expect(written.at(-1)?.data).toEqual({ type: "model.called", count: 2, kinds: { "embedding local/small": 2 } });
});

it("what happens less often is on record one by one, and what a runner invents is counted together", async () => {
  const { record, written } = openRecord();
  for (let index = 0; index < MOST_EVENTS; index++) await record.append("tool.reported", { type: "tool.call.started" });
  for (let index = 0; index < MOST_EVENTS; index++) await record.append("runner.warned", {});
  expect(written).toHaveLength(2 * MOST_EVENTS);
  for (let index = 0; index < 4096; index++) await record.append("tool.reported", { type: `invented-${index}` });
  const { kinds, count } = written.at(-1)?.data ?? {};
  expect(count).toBe(4096);
  expect(Object.keys(Object(kinds))).toHaveLength(101);
  expect(Object(kinds).others).toBe(4096 - 100);
});
