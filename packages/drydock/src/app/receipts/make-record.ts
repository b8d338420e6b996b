import { hash } from "node:crypto";
import {
  DrydockError,
  EffectivePolicy,
  type RecordEntry,
  type Run,
  type RunEvent,
  type RunRecord,
} from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import { createPathRules } from "../../policy/index.ts";
import type { WorkTree } from "../../sandbox/index.ts";
import type { TreeLookup } from "./open-trees.ts";

/** Of the contents together: a record is one file, and held in memory. */
const MAX_CONTENT_BYTES = 128 * 1024 * 1024;
const NAMED_PATHS = 3;

/** Everything that executing the run again elsewhere takes. The directory it began with is in it where it still is known. */
export async function makeRecord(
  ledger: Ledger,
  run: Run,
  events: readonly RunEvent[],
  base: TreeLookup,
): Promise<RunRecord> {
  const contents = new Map<string, Buffer>();
  let size = 0;
  const add = (sha256: string, bytes: Buffer) => {
    if (contents.has(sha256)) return;
    size += bytes.length;
    if (size > MAX_CONTENT_BYTES) throw recordTooLarge(run.id, MAX_CONTENT_BYTES);
    contents.set(sha256, bytes);
  };
  for (const sha256 of await ledger.blobs.list(run.id)) add(sha256, await ledger.blobs.readWhole(sha256));
  const found = "missing" in base ? base : await readBase(base.tree, events[0]?.data.policy, add);
  return {
    version: 1,
    run,
    events: [...events],
    contents: Object.fromEntries([...contents].map(([sha256, bytes]) => [sha256, bytes.toString("base64")])),
    base: "missing" in found ? null : found,
    baseMissing: "missing" in found ? found.missing : null,
  };
}

async function readBase(
  tree: WorkTree,
  policy: unknown,
  add: (sha256: string, bytes: Buffer) => void,
): Promise<NonNullable<RunRecord["base"]> | { missing: string }> {
  const frozen = EffectivePolicy.safeParse(policy);
  if (!frozen.success) return { missing: "the run has no policy on record that says what may be shown" };
  const rules = createPathRules(frozen.data);
  const paths = tree.paths();
  const hidden = paths.filter((path) => rules.hidden(path, tree.lookup(path)?.type === "directory"));
  if (hidden.length > 0) {
    const named = hidden.slice(0, NAMED_PATHS).join(", ");
    return { missing: `the workspace holds files that the policy hides (${named}), and they are not passed on` };
  }
  const entries: RecordEntry[] = [];
  for (const path of paths) {
    const entry = tree.lookup(path);
    if (!entry || entry.mode > 0o777) return { missing: `${path} has permissions that no record can hold` };
    const { type, mode, sha256, target } = entry;
    if (type === "file") {
      const bytes = await tree.read(path);
      if (!bytes || hash("sha256", bytes, "hex") !== sha256) return { missing: `${path} can't be read` };
      add(sha256, bytes);
    }
    entries.push({
      path,
      type,
      mode,
      ...(sha256 !== undefined && { sha256 }),
      ...(target !== undefined && { target }),
    });
  }
  return { treeHash: tree.treeHash, entries };
}

function recordTooLarge(runId: string, maxBytes: number): DrydockError {
  return new DrydockError(
    "limit.disk",
    `The record of run ${runId} would hold more than ${maxBytes / 1024 / 1024} MB.`,
    "Make the receipt without it: leave out --with-record.",
    { runId, maxBytes },
  );
}
