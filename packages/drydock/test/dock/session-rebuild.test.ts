import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestDock, type Session } from "../testing/test-dock.ts";

const SECRET = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
const test = openTestDock();
const { withSession } = test;

/** More steps than are kept. */
async function takeSteps(
  session: Session,
  count: number,
  code = (n: number) => `x.append(${n}); open('f${n}', 'w').close()`,
) {
  await session.exec("x = []; import os");
  for (let n = 2; n <= count; n++) expect(await session.exec(code(n))).toMatchObject({ ok: true, step: n });
}

const LOOK = "result = [list(x), sorted(os.listdir('.'))]";

describe("a state that is not kept any more", () => {
  it("is made again from the record, step 0 and what was rolled back included", () =>
    withSession(async (session) => {
      await takeSteps(session, 14);
      expect(session.stats().kept[0]).toBe(4);
      const back = await session.rollback(3);
      expect(back).toMatchObject({ step: 3, how: "rebuilt", kept: [0, 1, 2, 3] });
      expect(back.notes).toEqual([expect.stringContaining("running the recorded steps")]);
      expect((await session.exec(LOOK)).result).toEqual([
        [2, 3],
        ["f2", "f3"],
      ]);
      // The number goes on, and the id is the same.
      expect(await session.exec("x.append('after 3')")).toMatchObject({ ok: true, step: 16, sessionId: session.id });
      expect(await session.rollback(14)).toMatchObject({ how: "rebuilt" });
      expect((await session.exec("len(x)")).result).toBe(13);
      expect(await session.rollback(16)).toMatchObject({ how: "rebuilt" });
      expect((await session.exec("list(x)")).result).toEqual([2, 3, "after 3"]);
      expect(await session.rollback(0)).toMatchObject({ step: 0, kept: [0] });
      expect((await session.exec("'x' in globals()")).result).toBe(false);
      expect(test.dock.sessions.list().map(({ sessionId }) => sessionId)).toEqual([session.id]);
    }));

  it("can be returned to again by a fork, whose record begins with its session's", () =>
    withSession(async (session) => {
      await takeSteps(session, 3);
      const [fork] = await session.fork(1);
      await session.exec("x.append('of the session')");
      expect(await fork?.exec("x.append('of the fork')")).toMatchObject({ step: 4 });
      expect(await fork?.rollback(2)).toMatchObject({ step: 2, how: "rebuilt" });
      expect((await fork?.exec("list(x)"))?.result).toEqual([2]);
      expect(await fork?.rollback(4)).toMatchObject({ how: "rebuilt" });
      expect((await fork?.exec("list(x)"))?.result).toEqual([2, 3, "of the fork"]);
      await fork?.close();
      expect((await session.exec("x[-1]")).result).toBe("of the session");
    }));

  it("leaves out steps that failed, and takes each with the rules that it had", () =>
    withSession(async (session) => {
      await session.exec("import subprocess; x = []; import os", { unsafe: true });
      await session.exec("x.append(1); 1 / 0");
      await session.exec("x.append(2)", { policy: { limits: { wallSeconds: 20 } } });
      for (let n = 4; n <= 14; n++) await session.exec("x.append(0)");
      expect(await session.rollback(3)).toMatchObject({ how: "rebuilt" });
      expect((await session.exec("list(x)")).result).toEqual([2]);
      await expect(session.rollback(2)).rejects.toMatchObject({ code: "input.invalid" });
    }));

  it("says where a step gave something else than recorded", async () => {
    const workspace = test.makeWorkspace({ "data.txt": "before" });
    await withSession(
      async (session) => {
        await session.exec("import os, time; x = []; print(open('data.txt').read())");
        await session.exec("open('copy.txt', 'w').write(open('data.txt').read())");
        for (let n = 3; n <= 13; n++) await session.exec("x.append(0)");
        writeFileSync(join(workspace, "data.txt"), "changed since");
        const { how, notes } = await session.rollback(2);
        expect(how).toBe("rebuilt");
        expect(notes).toContain("step 1 printed something else than when it was recorded");
        expect(notes).toContain("the files after step 2 are not those that were recorded");
      },
      { workspace },
    );
    expect(existsSync(join(workspace, "copy.txt"))).toBe(false);
  });

  it.each([
    ["was given input", "x = [input()]; import os", { onInput: async () => "typed" }, "it was given input"],
    ["read data", "x = [input()]; import os", { stdin: "data" }, "it was given input"],
    ["has a secret in its code", `x = ["${SECRET}"]; import os`, {}, "without its secrets"],
  ])("can't be made again where a step %s, and the session stays as it is", (_name, code, options, why) =>
    withSession(async (session) => {
      expect((await session.exec(code, options)).ok).toBe(true);
      for (let n = 2; n <= 13; n++) await session.exec(`x.append(${n})`);
      await expect(session.rollback(2)).rejects.toMatchObject({
        code: "session.rollback_refused",
        message: expect.stringContaining(why),
        hint: expect.stringContaining("Steps that are kept: 3, 4"),
        data: { step: 1 },
      });
      expect((await session.exec("len(x)")).result).toBe(13);
      expect(await session.rollback(5)).toMatchObject({ how: "kept" });
    }),
  );

  it("is not reached where a step ends in another way, and the session stays as it is", async () => {
    const workspace = test.makeWorkspace({ "needed.txt": "1" });
    await withSession(
      async (session) => {
        await session.exec("import os; x = [open('needed.txt').read()]");
        for (let n = 2; n <= 13; n++) await session.exec(`x.append(${n})`);
        rmSync(join(workspace, "needed.txt"));
        await expect(session.rollback(1)).rejects.toMatchObject({
          code: "session.rollback_refused",
          message: expect.stringContaining("Step 1 ended in another way"),
        });
        expect((await session.exec("len(x)")).result).toBe(13);
        expect(await session.rollback(12)).toMatchObject({ how: "kept" });
      },
      { workspace },
    );
  });

  it("is not reached where records of earlier steps were deleted, and the session stays as it is", () =>
    withSession(async (session) => {
      await takeSteps(session, 2);
      // Records are told apart by the millisecond.
      await new Promise((resolve) => setTimeout(resolve, 5));
      const between = new Date();
      for (let n = 3; n <= 14; n++) await session.exec(`x.append(${n})`);
      expect((await test.dock.prune({ before: between })).runs).toBeGreaterThanOrEqual(2);
      await expect(session.rollback(3)).rejects.toMatchObject({
        code: "session.rollback_refused",
        message: "The state after step 3 is not kept, and can't be made again: records of the session were deleted.",
      });
      expect((await session.exec("len(x)")).result).toBe(13);
      await test.dock.prune({ before: new Date(Date.now() + 1000) });
      await expect(session.rollback(1)).rejects.toMatchObject({ message: expect.stringContaining("were deleted") });
      expect(await session.rollback(13)).toMatchObject({ how: "kept" });
    }));

  it("is not reached where the caller cancels, and the session stays as it is", () =>
    withSession(async (session) => {
      await session.exec("import time; time.sleep(0.7); x = []");
      for (let n = 2; n <= 13; n++) await session.exec(`x.append(${n})`);
      const signal = AbortSignal.timeout(300);
      await expect(session.rollback(1, { signal })).rejects.toMatchObject({ code: "run.cancelled" });
      expect((await session.exec("len(x)")).result).toBe(12);
      expect((await test.dock.runs.list({ limit: 2 })).runs[1]).toMatchObject({ status: "cancelled" });
    }));

  it("is not reached where the session is closed meanwhile: nothing is left of either", async () => {
    const session = await test.dock.sessions.open();
    await session.exec("import time; time.sleep(0.7); x = []");
    for (let n = 2; n <= 13; n++) await session.exec(`x.append(${n})`);
    const going = session.rollback(1).catch((error: unknown) => error);
    setTimeout(() => void session.close(), 300);
    expect(await going).toMatchObject({ code: expect.stringMatching(/^(session\.rollback_refused|run\.cancelled)$/) });
    expect(test.dock.sessions.list()).toEqual([]);
  });
});

describe("a Node session", () => {
  it("returns to any step by running the recorded ones again, also those that threw", () =>
    withSession(
      async (session) => {
        await session.exec("var seen = []; require('fs').writeFileSync('a', '1')");
        await session.exec("seen.push(2); throw new Error('kept all the same')");
        await session.exec("seen.push(3); require('fs').writeFileSync('b', '2')");
        expect(await session.rollback()).toMatchObject({ step: 2, how: "rebuilt", kept: [] });
        expect((await session.exec("[seen, require('fs').readdirSync('.')]")).result).toEqual([[2], ["a"]]);
        expect(await session.rollback(3)).toMatchObject({ how: "rebuilt" });
        expect((await session.exec("seen")).result).toEqual([2, 3]);
        expect(await session.rollback(0)).toMatchObject({ step: 0 });
        expect((await session.exec("typeof seen")).result).toBe("undefined");
      },
      { language: "node" },
    ));
});

it("records how it returned", () =>
  withSession(async (session) => {
    await takeSteps(session, 13);
    await session.rollback(1);
    const { runs } = await test.dock.runs.list({ limit: 1 });
    const events = await test.dock.runs.events(runs[0]?.id ?? "");
    expect(events.map(({ type }) => type)).toEqual(["run.created", "step.rolled_back", "run.succeeded"]);
    expect(events[1]?.data).toEqual({ to: 1, kept: [0, 1], how: "rebuilt" });
  }));
