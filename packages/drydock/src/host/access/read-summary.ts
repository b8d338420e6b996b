import { COMPACTION_KEY, CompactionCheckpoint, type StateScope } from "@drydock/protocol/runner";
import type { HostStore } from "../../ledger/index.ts";
import { decodeCursor } from "./cursor.ts";
import type { AccessSnapshot } from "./snapshot.ts";

export interface SummaryPlace {
  snapshot: Pick<AccessSnapshot, "conversationId">;
  conversation: string | null;
  facts: Pick<HostStore, "transcript">;
}

/** Whether a value of the state is what a runner keeps its summary of the conversation in. */
export function isSummary(scope: StateScope, key: string): boolean {
  return scope === "conversation" && key === COMPACTION_KEY;
}

/** The value where it is valid for this conversation and what it covers is still there; else null. */
export async function readSummary(
  { snapshot, conversation, facts }: SummaryPlace,
  value: unknown,
): Promise<CompactionCheckpoint | null> {
  const { data } = CompactionCheckpoint.safeParse(value);
  if (!data || conversation === null || data.conversation_id !== snapshot.conversationId) return null;
  const seq = readSeq(data.covers_until, conversation);
  if (seq === null) return null;
  const around = { after: seq - 1, before: seq + 1, limit: 1, direction: "forward" } as const;
  const [covered] = await facts.transcript.page(conversation, around);
  return covered ? data : null;
}

/** A cursor, or the number itself; null for what is neither. */
function readSeq(covers: string | number, conversation: string): number | null {
  const seq = Number(covers);
  if (Number.isSafeInteger(seq) && seq > 0) return seq;
  try {
    return decodeCursor("history_page", conversation, String(covers)) ?? null;
  } catch {
    return null;
  }
}
