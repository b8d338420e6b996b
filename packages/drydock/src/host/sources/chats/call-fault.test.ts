import { describe, expect, it } from "vitest";
import { backOffMs, CallError, type CallFault, callPatiently, noAnswer } from "./call-fault.ts";

const readFault = (error: unknown): CallFault => error as CallFault;
const forever = () => new AbortController().signal;

/** A call that fails like this, one after the other, and then works. */
function failing(...faults: CallFault[]) {
  let calls = 0;
  const call = async () => {
    const fault = faults[calls++];
    if (fault) throw fault;
    return calls;
  };
  return { call, count: () => calls };
}

describe("a patient call", () => {
  it("is tried again while the platform is down or has too many calls", async () => {
    const { call } = failing({ kind: "limited", waitMs: 5, text: "" }, { kind: "limited", waitMs: 1, text: "" });
    expect(await callPatiently(call, { readFault, signal: forever(), patienceMs: 1000 })).toBe(3);
  });

  it.each(["refused", "denied"] as const)("is not tried again where it is %s", async (kind) => {
    const { call, count } = failing({ kind, text: "no" });
    await expect(callPatiently(call, { readFault, signal: forever(), patienceMs: 1000 })).rejects.toThrow("no");
    expect(count()).toBe(1);
  });

  it("is given up where the wait would be longer than its patience", async () => {
    const { call, count } = failing({ kind: "limited", waitMs: 60_000, text: "too many" });
    const given = callPatiently(call, { readFault, signal: forever(), patienceMs: 100 });
    await expect(given).rejects.toBeInstanceOf(CallError);
    expect(count()).toBe(1);
  });

  it("ends with its signal, also while it waits", async () => {
    const stop = new AbortController();
    const { call } = failing({ kind: "down", text: "" }, { kind: "down", text: "" });
    const waiting = callPatiently(call, { readFault, signal: stop.signal, patienceMs: 60_000 });
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  });

  it("waits longer each time, up to a minute", () => {
    expect([0, 1, 2, 1000].map(backOffMs)).toEqual([500, 1000, 2000, 60_000]);
  });
});

describe("a platform that does not answer", () => {
  it("is said with the system's code, and without an error's own words", () => {
    const refused = Object.assign(new Error("connect to /bot1:secret"), { code: "ECONNREFUSED" });
    const failed = new TypeError("fetch failed: /bot1:secret", { cause: refused });
    expect(noAnswer("Telegram", { error: failed }).text).toBe("Telegram does not answer (ECONNREFUSED).");
    expect(noAnswer("Slack", new Error("/bot1:secret")).text).toBe("Slack does not answer.");
  });
});
