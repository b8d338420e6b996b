import { DrydockError } from "@drydock/protocol";
import { expect, test } from "vitest";
import { resolvePolicy } from "../../policy/index.ts";
import type { Fleet } from "../members/fleet.ts";
import { FROM_WARDEN, type Frame } from "../members/frames.ts";
import type { Member } from "../members/member.ts";
import type { Done } from "../members/transcript.ts";
import type { RunPreparation } from "../prepare.ts";
import { createLiveSession } from "./live-session.ts";
import { openSession } from "./open-session.ts";

const { effective: policy } = resolvePolicy({ home: null, workspace: null });

/** Preparations that count how many of them are held. */
function countPreparations(most = Number.POSITIVE_INFINITY) {
  let made = 0;
  let held = 0;
  const prepare = async (): Promise<RunPreparation> => {
    if (++made > most) throw new DrydockError("internal", "The proxy is gone.", "Try again.");
    held++;
    const view = { workspace: null, hide: [], protect: [] } as unknown as RunPreparation["view"];
    const empty = { warden: {}, code: {}, environment: {}, modules: [], notes: [] };
    return {
      ...empty,
      view,
      network: { refused: [], connected: [], requests: [] },
      release: () => held--,
      copy: prepare,
    };
  };
  return { prepare, held: () => held };
}

/** A member that answers each request with the same ending, or is gone. */
function answerWith(done: Done | null): Member {
  let take: (frame: Frame) => void = () => {};
  let gone: () => void = () => {};
  const text = Buffer.from(JSON.stringify(done));
  const payload = Buffer.concat([Buffer.alloc(4), text]);
  payload.writeUInt32BE(text.length, 0);
  return {
    alive: true,
    listen(onFrame: typeof take, onGone: typeof gone) {
      take = onFrame;
      gone = onGone;
    },
    send: () => setImmediate(() => (done ? take({ kind: FROM_WARDEN.done, payload }) : gone())),
    onGone: () => {},
    close: () => {},
  } as unknown as Member;
}

test("a session that gets no member lets go of what was prepared for it", async () => {
  const { prepare, held } = countPreparations();
  const fleet = { take: () => Promise.reject(new Error("no member")) } as unknown as Fleet;
  const ports = { fleet, preparer: { prepare, close: async () => {} }, spool: "" };
  const request = { language: "python", policy, workspace: null, environment: {} } as const;
  await expect(openSession(ports, request)).rejects.toThrow("no member");
  expect(held()).toBe(0);
});

test.each([
  ["its warden refuses", answerWith({ ending: { kind: "refused", why: "copy", reason: "no" } }), 10],
  ["its member is gone", answerWith(null), 10],
  ["one of them can't be prepared", answerWith(null), 3],
])("forks that are not made let go of what was prepared for them: %s", async (_, member, most) => {
  const { prepare, held } = countPreparations(most);
  const connectForks = () => Promise.reject(new Error("no fork"));
  const parts = { member, language: "python", level: "rlimits", spool: "", connectForks } as const;
  const session = createLiveSession({ ...parts, prepared: await prepare() });
  await session.fork(4).then(
    ({ ok }) => expect(ok).toBe(false),
    (error) => expect(error).toBeInstanceOf(DrydockError),
  );
  session.close();
  expect(held()).toBe(0);
});
