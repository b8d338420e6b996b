import type { ForkServer } from "../members/fork-server.ts";
import type { Member } from "../members/member.ts";
import type { Done } from "../members/transcript.ts";

/** `why` is a word for programs, `reason` the rest of a sentence about the session. */
export interface ForkRefusal {
  ok: false;
  why: string;
  reason: string;
}

/** The wardens are there and wait when their session tells of them. */
const PATIENCE_MS = 10_000;

/** Connects to the forks that a session's warden has made, in the order that it names them. */
export async function takeForks(
  done: Done | null,
  connectFork: ForkServer["connectFork"],
): Promise<{ ok: true; members: Member[] } | ForkRefusal> {
  if (done?.ending.kind !== "forked" || !done.forks) {
    const ending = done?.ending;
    return { ok: false, why: String(ending?.why ?? "gone"), reason: String(ending?.reason ?? "the session is gone") };
  }
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const connected = await Promise.allSettled(done.forks.map(() => connectFork(signal)));
  const found = new Map<string, Member>();
  for (const each of connected) if (each.status === "fulfilled") found.set(each.value.name, each.value.member);
  const members = done.forks.map((name) => found.get(name));
  if (members.every((member) => member !== undefined)) return { ok: true, members };
  for (const member of found.values()) member.close();
  return { ok: false, why: "gone", reason: "a fork ended before it could be used" };
}
