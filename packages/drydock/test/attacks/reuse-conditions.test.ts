import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LEFTOVERS } from "../testing/leftovers.ts";
import { type KernelChange, openReuseSandbox, PATIENT, type ReuseSandbox } from "../testing/reuse-sandbox.ts";

/** Slots are used again only where control groups tell that nothing of a run is left. */
const asRoot = describe.skipIf(process.getuid?.() !== 0);

async function using<T>(change: KernelChange, act: (sandbox: ReuseSandbox) => Promise<T>): Promise<T> {
  const sandbox = openReuseSandbox(change);
  try {
    return await act(sandbox);
  } finally {
    await sandbox.close();
  }
}

asRoot("what a run leaves behind ends its slot", { timeout: 60_000 }, () => {
  /** With the kernel part as it is: one for all, as starting it takes longer than what they do. */
  let whole: ReuseSandbox;
  beforeAll(() => {
    whole = openReuseSandbox();
  });
  afterAll(() => whole.close());

  test.each(LEFTOVERS)("$condition, and no other condition", async (leftover) => {
    const { condition, beside = [], code, stdin, look = "", found = "slot" } = leftover;
    const leave = async (sandbox: ReuseSandbox, attempts?: number) => {
      const { slot } = await sandbox.attack(code, stdin);
      return sandbox.returnTo(slot, look, attempts);
    };
    expect(await (beside.length === 0 ? leave(whole) : using({ without: beside }, leave))).toBe(null);
    // What the condition is good for: without it, the next run finds what was left.
    // (On a busy machine a message of the host may come late and end the slot as well: then it is tried again.)
    const without = { without: [...beside, condition] };
    const seen = await using(without, async (sandbox) => {
      for (let attempt = 0; attempt < 4; attempt++) {
        const returned = await leave(sandbox, PATIENT);
        if (returned !== null) return returned;
      }
      return null;
    });
    expect(seen).toContain(found);
  });
});

asRoot("a way out that was used", { timeout: 60_000 }, () => {
  test("ends its slot, even where nothing is looked at that would show it", async () => {
    const without = ["packets", "counters", "sockets", "way out", "processes"];
    const returned = (code: string, attempts?: number) =>
      using({ without, allow: ["localhost:1"] }, async (sandbox) => {
        const { slot } = await sandbox.attack(code);
        return sandbox.returnTo(slot, "", attempts);
      });
    expect(await returned("", PATIENT)).toContain("slot");
    expect(await returned("import socket; socket.create_connection(('127.0.0.1', 3128))")).toBe(null);
  });
});

asRoot("a slot that nothing was left in", { timeout: 60_000 }, () => {
  test("is used again, but not for ever", async () => {
    const replaced = [["attend/watched_member.py", "MOST_USES = 100", "MOST_USES = 3"]] as const;
    const uses = (change: KernelChange, attempts?: number) =>
      using(change, async (sandbox) => {
        const { slot } = await sandbox.attack("");
        let visits = 1;
        while (visits < 5 && (await sandbox.returnTo(slot, "", attempts)) !== null) visits++;
        return visits;
      });
    expect(await uses({ replaced })).toBeLessThanOrEqual(2);
    expect(await uses({ replaced, without: ["uses"] }, PATIENT)).toBe(5);
  });

  test("is used again, even if a run waited for it while it was built", async () => {
    // A clock whose steps are long, as those of the kernel are beside a run that follows at once.
    const clock = ["contain/traces.py", "time.clock_gettime_ns(_CLOCK_REALTIME_COARSE)", "time.time_ns() >> 32 << 32"];
    const replaced = [clock as [string, string, string]];
    const returned = using({ replaced }, async (sandbox) =>
      sandbox.returnTo((await sandbox.visit("")).slot, "", PATIENT),
    );
    expect(await returned).toContain("slot");
  });

  test("is not used again if its first run began before a change of its files would show", async () => {
    const replaced = [
      ["contain/traces.py", "read_at = time.time_ns()", "read_at = time.time_ns() + 10**15"],
      ["contain/steps.py", '    ("wait until changes show", traces.await_step),\n', ""],
    ] as const;
    const returned = (change: KernelChange, attempts?: number) =>
      using(change, async (sandbox) => sandbox.returnTo((await sandbox.visit("")).slot, "", attempts));
    expect(await returned({ replaced })).toBe(null);
    expect(await returned({ replaced, without: ["age"] }, PATIENT)).toContain("slot");
  });
});
