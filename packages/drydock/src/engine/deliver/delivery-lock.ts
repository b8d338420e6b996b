import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import * as z from "zod";
import { tryFileLock, waitForFileLock } from "../../base/locks/index.ts";
import { errnoOf } from "./delivery-target.ts";
import { makePrivateDirectory, removeDurably, writeDurably } from "./journal.ts";

/*
 * Where deliveries are recorded, `DRYDOCK_HOME/deliveries`:
 *   <id>/            journal and kept content of one, with revert/ for that of its undoing
 *   open/<key>.json  names the delivery that is under way in a workspace; what lies here without its lock is a crash's
 *   locks/<key>      one per workspace
 */

const PATIENCE_MS = 20_000;

export const OpenDelivery = z.object({
  kind: z.enum(["apply", "revert"]),
  journalDirectory: z.string(),
  workspace: z.string(),
});
export type OpenDelivery = z.infer<typeof OpenDelivery>;

/** Where the journal of an undoing lies, or that of the delivery itself. */
export function directoryOf({ kind, journalDirectory }: Pick<OpenDelivery, "kind" | "journalDirectory">): string {
  return kind === "revert" ? join(journalDirectory, "revert") : journalDirectory;
}

export async function openDelivery(delivery: OpenDelivery): Promise<void> {
  const path = markerPath(dirname(delivery.journalDirectory), delivery.workspace);
  await makePrivateDirectory(dirname(path));
  await writeDurably(path, JSON.stringify(delivery));
}

export async function closeDelivery({ journalDirectory, workspace }: OpenDelivery): Promise<void> {
  await removeDurably(markerPath(dirname(journalDirectory), workspace));
}

/** What is under way, or was when its process ended. */
export async function listOpenDeliveries(deliveries: string): Promise<OpenDelivery[]> {
  const open = join(deliveries, "open");
  const names = await readdir(open).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  });
  const found: OpenDelivery[] = [];
  for (const name of names.filter((each) => each.endsWith(".json"))) {
    const text = await readFile(join(open, name), "utf8").catch(() => null);
    if (text !== null) found.push(OpenDelivery.parse(JSON.parse(text)));
  }
  return found;
}

/** One delivery at a time in a workspace. Null: another holds it, and there was no time to wait. */
export function tryWorkspaceLock(deliveries: string, workspace: string): Disposable | null {
  return tryFileLock(lockPath(deliveries, workspace));
}

export function lockWorkspace(deliveries: string, workspace: string, signal?: AbortSignal): Promise<Disposable> {
  const refuse = () =>
    new DrydockError(
      "delivery.conflict",
      `Another delivery to ${workspace} is still under way.`,
      "Try again when it has ended. Nothing was changed.",
      { workspace },
    );
  return waitForFileLock(lockPath(deliveries, workspace), { patienceMs: PATIENCE_MS, refuse, signal });
}

function lockPath(deliveries: string, workspace: string): string {
  return join(deliveries, "locks", keyOf(workspace));
}

function markerPath(deliveries: string, workspace: string): string {
  return join(deliveries, "open", `${keyOf(workspace)}.json`);
}

function keyOf(workspace: string): string {
  return hash("sha256", workspace).slice(0, 32);
}
