import { DrydockError } from "@drydock/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createQueue, type QueueLimits, type QueueTurn } from "./create-queue.ts";
import { needsApproval } from "./needs-approval.ts";

const call = (runId: string, extension = "curl") => ({
  ...{ runId, extension, command: extension, action: "get", user: "owner", session: "default" },
});
const limits = (over: Partial<QueueLimits> = {}): QueueLimits => ({ concurrency: 1, total: 2, ...over });
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("what may run runs at once; the others are told their place, with every change", async () => {
  const queue = createQueue();
  const first = await queue.enter(call("a"), limits({ onQueued: () => expect.fail("it need not wait") }));
  const places: Record<string, number[]> = { b: [], c: [] };
  const b = queue.enter(call("b"), limits({ onQueued: (position) => places.b?.push(position) }));
  const c = queue.enter(call("c"), limits({ onQueued: (position) => places.c?.push(position) }));
  expect(places).toEqual({ b: [1], c: [2] });
  expect(queue.list().map(({ runId, position }) => [runId, position])).toEqual([
    ["a", 0],
    ["b", 1],
    ["c", 2],
  ]);
  first.leave();
  (await b).leave();
  (await c).leave();
  expect(places).toEqual({ b: [1], c: [2, 1] });
  expect(queue.list()).toEqual([]);
});

test("an extension that is busy does not hold up the others", async () => {
  const queue = createQueue();
  await queue.enter(call("a"), limits());
  const b = queue.enter(call("b"), limits());
  b.catch(() => {});
  await queue.enter(call("c", "jq"), limits());
  expect(queue.list().map(({ runId, position }) => `${runId}${position}`)).toEqual(["a0", "c0", "b1"]);
});

test("one that asks for few places in all is not passed for ever by those that ask for more", async () => {
  const queue = createQueue();
  const a = await queue.enter(call("a", "one"), limits({ total: 3 }));
  const narrow = queue.enter(call("narrow", "two"), limits({ total: 1 }));
  const c = queue.enter(call("c", "three"), limits({ total: 3 }));
  await settle();
  expect(queue.list().map(({ runId, position }) => `${runId}${position}`)).toEqual(["a0", "narrow1", "c2"]);
  a.leave();
  (await narrow).leave();
  (await c).leave();
});

test("one that asks for few places of its extension is not passed by another call of it", async () => {
  const queue = createQueue();
  const a = await queue.enter(call("a"), limits({ concurrency: 2, total: 9 }));
  const narrow = queue.enter(call("narrow"), limits({ concurrency: 1, total: 9 }));
  const c = queue.enter(call("c"), limits({ concurrency: 2, total: 9 }));
  await settle();
  expect(queue.list().map(({ runId, position }) => `${runId}${position}`)).toEqual(["a0", "narrow1", "c2"]);
  a.leave();
  (await narrow).leave();
  (await c).leave();
});

test("leaving twice frees one place", async () => {
  const queue = createQueue();
  const a = await queue.enter(call("a"), limits({ total: 1 }));
  const b = await Promise.race([queue.enter(call("b"), limits({ total: 1 })), settle()]);
  expect(b).toBeUndefined();
  a.leave();
  a.leave();
  const c = await Promise.race([queue.enter(call("c"), limits({ total: 1 })), settle()]);
  expect(c).toBeUndefined();
  expect(queue.list().map(({ runId, position }) => `${runId}${position}`)).toEqual(["b0", "c1"]);
});

test("a call that waits is cancelled by its signal or by its run's id; one that runs is asked to end", async () => {
  const queue = createQueue();
  const a = await queue.enter(call("a"), limits());
  const stop = new AbortController();
  const b = queue.enter(call("b"), limits({ signal: stop.signal }));
  const c = queue.enter(call("c"), limits());
  const positions: number[] = [];
  const d = queue.enter(call("d"), limits({ onQueued: (position) => positions.push(position) }));
  stop.abort();
  await expect(b).rejects.toMatchObject({ code: "run.cancelled" });
  expect(queue.cancel("c")).toBe(true);
  await expect(c).rejects.toMatchObject({ code: "run.cancelled" });
  expect(positions).toEqual([3, 2, 1]);
  expect(queue.cancel("a")).toBe(true);
  expect(a.signal.aborted).toBe(true);
  expect(queue.cancel("nobody")).toBe(false);
  a.leave();
  (await d).leave();
  await expect(queue.enter(call("e"), limits({ signal: AbortSignal.abort() }))).rejects.toMatchObject({
    code: "run.cancelled",
  });
});

test("only so many wait; the next is refused, and has a place again when one is gone", async () => {
  const queue = createQueue({ maxWaiting: 2 });
  await queue.enter(call("a"), limits());
  const waiting = [queue.enter(call("b"), limits()), queue.enter(call("c"), limits())];
  await expect(queue.enter(call("d"), limits())).rejects.toMatchObject({ code: "limit.concurrency" });
  queue.cancel("b");
  const [b] = await Promise.allSettled(waiting.slice(0, 1));
  expect(b?.status).toBe("rejected");
  queue.enter(call("e"), limits()).catch(() => {});
  expect(queue.list().map(({ runId }) => runId)).toEqual(["a", "c", "e"]);
});

test("a caller that throws when it is told its place, or cancels, does not disturb the others", async () => {
  const queue = createQueue();
  const a = await queue.enter(call("a"), limits());
  const b = queue.enter(call("b"), limits({ onQueued: () => queue.cancel("b") }));
  await expect(b).rejects.toMatchObject({ code: "run.cancelled" });
  const warnings: string[] = [];
  const listen = (warning: Error) => warnings.push(warning.message);
  process.on("warning", listen);
  const onQueued = () => {
    throw new DrydockError("internal", "no", "");
  };
  const c = queue.enter(call("c"), limits({ onQueued }));
  await settle();
  process.off("warning", listen);
  expect(warnings).toEqual(["onQueued threw: no"]);
  a.leave();
  (await c).leave();
});

test("whatever comes, goes and is cancelled: no limit is ever passed, nobody is forgotten, order is kept", async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ enter: fc.constantFrom("x", "y", "z") }) },
    { weight: 2, arbitrary: fc.record({ leave: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ cancel: fc.nat(9) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const queue = createQueue();
      const turns: { id: number; turn: QueueTurn }[] = [];
      const started = new Map<string, number[]>();
      let entered = 0;
      let ended = 0;
      for (const each of steps) {
        if ("enter" in each) {
          const id = entered++;
          queue.enter(call(String(id), each.enter), limits({ concurrency: 2, total: 3 })).then(
            (turn) => {
              turns.push({ id, turn });
              started.set(each.enter, [...(started.get(each.enter) ?? []), id]);
            },
            () => ended++,
          );
        } else if ("leave" in each) {
          const [left] = turns.splice(each.leave % Math.max(1, turns.length), 1);
          if (left) ended++;
          left?.turn.leave();
        } else {
          const waiting = queue.list().filter(({ position }) => position > 0);
          const chosen = waiting[each.cancel % Math.max(1, waiting.length)];
          if (chosen) queue.cancel(chosen.runId);
        }
        await settle();
        const now = queue.list();
        const running = now.filter(({ position }) => position === 0);
        expect(running.length).toBeLessThanOrEqual(3);
        for (const name of ["x", "y", "z"]) {
          expect(running.filter(({ extension }) => extension === name).length).toBeLessThanOrEqual(2);
        }
        expect(now.length).toBe(entered - ended);
      }
      for (const ids of started.values()) expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      while (turns.length > 0) {
        turns.pop()?.turn.leave();
        await settle();
      }
      expect(queue.list()).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test("approval is needed from the threshold on; never where the owner says so; for what nobody knows always", () => {
  expect(needsApproval("low", "medium")).toBe(false);
  expect(needsApproval("medium", "medium")).toBe(true);
  expect(needsApproval("high", "medium")).toBe(true);
  expect(needsApproval("high", "never")).toBe(false);
  expect(needsApproval("extreme" as "high", "high")).toBe(true);
});
