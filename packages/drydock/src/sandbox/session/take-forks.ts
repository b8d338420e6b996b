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
  connectForks: ForkServer["connectForks"],
): Promise<{ ok: true; members: Member[] } | ForkRefusal> {
  if (done?.ending.kind !== "forked" || !done.forks) {
    const ending = done?.ending;
    return { ok: false, why: String(ending?.why ?? "gone"), reason: String(ending?.reason ?? "the session is gone") };
  }
  const found = await connectForks(done.forks, AbortSignal.timeout(PATIENCE_MS));
  const members = done.forks.flatMap((name) => found.get(name) ?? []);
  if (members.length === done.forks.length) return { ok: true, members };
  for (const member of members) member.close();
  return { ok: false, why: "gone", reason: "a fork ended before it could be used" };
}
