import type { AnchorReport, AuditHead } from "@drydock/protocol";
import { readChainEnd } from "../chain/append-head.ts";
import { HEADS_GENESIS, hashHead, sha256 } from "../chain/hash-entries.ts";
import type { HeadsTable, LedgerDatabase } from "../database/schema.ts";
import type { Anchor } from "../signing/read-anchors.ts";
import { type Checkpoint, decodeCheckpoint } from "./checkpoint.ts";
import { ExpectedHeads } from "./expected-heads.ts";
import { LEDGER, type Problems } from "./problems.ts";
import { readHeads } from "./read-pages.ts";

/** What the ledger's chain says about a run at one moment. */
export interface Mark {
  kind: "created" | "ended" | "amended";
  events: number;
  headHash: string;
}

export interface VerifiedHeads {
  marks: Map<string, Mark[]>;
  /** The last entry; the start of the chain where there is none. */
  head: AuditHead;
  /** The last one; null where nothing was ever cut. */
  checkpoint: Checkpoint | null;
  /** In the order of the input. */
  anchors: AnchorReport[];
}

/** Walks the ledger's chain from its beginning, or from the last checkpoint, to the end that `meta` names. */
export async function verifyHeads(
  db: LedgerDatabase,
  problems: Problems,
  expected: readonly Anchor[] = [],
): Promise<VerifiedHeads> {
  const checkpoints = await readCheckpoints(db, problems);
  const start = Array.from(checkpoints.values(), ({ checkpoint }) => checkpoint).at(-1);
  const marks = new Map<string, Mark[]>();
  for (const { runId, ended, events, headHash } of start?.carried ?? []) {
    marks.set(runId, [{ kind: ended ? "ended" : "created", events, headHash }]);
  }
  let last: AuditHead = start ? { position: start.position, hash: start.hash } : { position: 0, hash: HEADS_GENESIS };
  const begin = last;
  const wanted = new ExpectedHeads(expected);
  wanted.see(begin);

  for await (const head of readHeads(db)) {
    verifyHead(head, last, problems);
    last = { position: head.position, hash: head.hash };
    wanted.see(last);
    if (head.kind === "checkpoint") {
      const stored = checkpoints.get(head.position);
      checkpoints.delete(head.position);
      if (!stored)
        problems.add(LEDGER, 0, `The checkpoint recorded at entry ${head.position} of the chain is missing.`);
      else if (sha256(stored.data) !== head.head_hash)
        problems.add(LEDGER, 0, `The checkpoint recorded at entry ${head.position} of the chain was changed.`);
      continue;
    }
    const mark = { kind: head.kind as Mark["kind"], events: head.events, headHash: head.head_hash };
    const known = marks.get(head.run_id);
    if (known) known.push(mark);
    else marks.set(head.run_id, [mark]);
  }
  for (const position of checkpoints.keys()) {
    problems.add(LEDGER, 0, `A checkpoint was inserted: entry ${position} of the chain does not record it.`);
  }
  await verifyEnd(db, last, problems);
  return { marks, head: last, anchors: wanted.settle(begin, last), checkpoint: start ?? null };
}

async function readCheckpoints(
  db: LedgerDatabase,
  problems: Problems,
): Promise<Map<number, { data: string; checkpoint: Checkpoint }>> {
  const found = new Map<number, { data: string; checkpoint: Checkpoint }>();
  for (const row of await db.selectFrom("checkpoints").selectAll().orderBy("position").execute()) {
    try {
      found.set(row.position, { data: row.data, checkpoint: decodeCheckpoint(row.data) });
    } catch {
      problems.add(LEDGER, 0, `The checkpoint recorded at entry ${row.position} of the chain was changed.`);
    }
  }
  return found;
}

function verifyHead(head: HeadsTable, last: AuditHead, problems: Problems): void {
  const runId = head.run_id || LEDGER;
  const seq = Math.max(0, head.events - 1);
  if (hashHead(head) !== head.hash) {
    problems.add(runId, seq, `Entry ${head.position} of the ledger's chain (${head.kind}) was changed.`);
  }
  if (head.position > last.position + 1) {
    const missing = head.position - last.position - 1;
    problems.add(LEDGER, 0, `${missing} entries of the ledger's chain are missing before entry ${head.position}.`);
  } else if (head.position !== last.position + 1 || head.prev_hash !== last.hash) {
    problems.add(runId, seq, `Entry ${head.position} of the ledger's chain does not follow the one before it.`);
  }
}

async function verifyEnd(db: LedgerDatabase, last: AuditHead, problems: Problems): Promise<void> {
  const end = await readChainEnd(db);
  if (end === "altered") problems.add(LEDGER, 0, "The record of the chain's end was changed.");
  else if (end === "missing") {
    if (last.position > 0) problems.add(LEDGER, 0, "The record of the chain's end is missing.");
  } else if (end.position > last.position) {
    problems.add(end.runId || LEDGER, 0, `The last entry of the chain, ${end.position} (${end.kind}), is missing.`);
  } else if (!isSameHead(end, last)) {
    problems.add(LEDGER, 0, `The chain ends at entry ${last.position}, but its end was recorded at ${end.position}.`);
  }
}

function isSameHead(a: AuditHead | undefined, b: AuditHead): boolean {
  return a !== undefined && a.position === b.position && a.hash === b.hash;
}
