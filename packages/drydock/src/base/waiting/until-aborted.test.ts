import { describe, expect, it } from "vitest";
import { untilAborted } from "./until-aborted.ts";

const never = () => new Promise<never>(() => {});

describe("untilAborted", () => {
  it("gives what the work gives, with and without a signal", async () => {
    expect(await untilAborted(Promise.resolve(1), undefined)).toBe(1);
    expect(await untilAborted(Promise.resolve(1), new AbortController().signal)).toBe(1);
    await expect(untilAborted(Promise.reject(new Error("no")), new AbortController().signal)).rejects.toThrow("no");
  });

  it("ends with the signal, though the work does not listen", async () => {
    const controller = new AbortController();
    const waiting = untilAborted(never(), controller.signal);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect(untilAborted(never(), controller.signal)).rejects.toThrow("enough");
    await expect(untilAborted(never(), controller.signal, () => new Error("other"))).rejects.toThrow("other");
  });

  it("takes no notice of work that fails after the signal", async () => {
    const work = Promise.withResolvers<never>();
    const waiting = untilAborted(work.promise, AbortSignal.abort(new Error("enough")));
    await expect(waiting).rejects.toThrow("enough");
    work.reject(new Error("late"));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
