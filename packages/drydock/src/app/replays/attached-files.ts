import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { readAttachments } from "../../tasks/index.ts";
import type { DirectoryCopy } from "./copy-directory.ts";
import { notReplayable } from "./read-recorded.ts";
import type { ReplayPorts } from "./replayer.ts";

/** An attachment, as a record names it. Without a hash it was not kept. */
export const Attached = z.object({ name: z.string(), size: z.number(), sha256: z.string().optional() });
export type Attached = z.infer<typeof Attached>;

const NOT_KEPT =
  "One with a secret in it is not stored, nor are those of runs before this version. Run it again instead.";

/** The attachments of a run. Rejects where one is not on record. */
export async function readAttached(
  { ledger }: Pick<ReplayPorts, "ledger">,
  runId: string,
  attached: readonly Attached[],
): Promise<{ name: string; content: Buffer }[]> {
  const known = new Set(await ledger.blobs.list(runId));
  const missing = attached.find(({ sha256 }) => sha256 === undefined || !known.has(sha256));
  if (missing) throw notReplayable(runId, `its attachment ${missing.name} is not on record`, NOT_KEPT);
  return Promise.all(
    attached.map(async ({ name, sha256 = "" }) => ({ name, content: await ledger.blobs.readWhole(sha256) })),
  );
}

/** A directory of our own that holds the attachments, as the run had it. */
export async function restoreAttached(
  ports: Pick<ReplayPorts, "ledger" | "temporary">,
  runId: string,
  attached: readonly Attached[],
): Promise<DirectoryCopy> {
  // The names are checked as they were then: none leads out of the directory.
  const files = readAttachments(await readAttached(ports, runId, attached), Number.MAX_SAFE_INTEGER);
  const path = await mkdtemp(join(ports.temporary, "drydock-replay-"));
  for (const { name, bytes } of files) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), bytes);
  }
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
