import { Layer, RunFollowed } from "@drydock/protocol";
import type { FollowedWork, Journal } from "../../../engine/index.ts";
import type { Workbench } from "../../../sandbox/index.ts";
import type { RecordedContents } from "../../runs/recorded/recorded-answers.ts";
import type { GoalRun } from "../continue-run.ts";
import type { GoalPorts } from "../goal-ports.ts";
import { keepLayer } from "../keep-layer.ts";

/** The run that another one follows, and where the contents of its layer are. */
export interface FollowedRun extends FollowedWork {
  run: string;
  contents: RecordedContents;
}

const KEY = "followed";

/**
 * What the run takes over of the one that it follows: put on record before anything is done, with all contents, and read
 * from there ever after. So the run does not depend on the other one being kept.
 */
export async function settleFollowed(
  { ledger }: Pick<GoalPorts, "ledger">,
  { runId, findFollowed }: Pick<GoalRun, "runId" | "findFollowed">,
  { journal, workbench, initial }: { journal: Journal; workbench: Workbench; initial: Layer | null },
): Promise<FollowedWork | null> {
  const recorded = journal.find("run.followed", KEY);
  if (recorded) return readFollowed(ledger.blobs, recorded.data);
  const found = await findFollowed?.(workbench);
  if (!found) return null;
  const { run, layer, account, repairs, contents } = found;
  const baseHash = initial?.treeHash ?? workbench.treeHash;
  const data: RunFollowed = {
    key: KEY,
    run,
    layer: layer && (await keepLayer(ledger, runId, layer, contents)),
    baseHash,
    treeHash: layer?.treeHash ?? baseHash,
    account: (await ledger.blobs.put(Buffer.from(account), { runId })).sha256,
    repairs: repairs.length === 0 ? null : (await ledger.blobs.put(toBytes(repairs), { runId })).sha256,
  };
  if (layer) await workbench.keepOriginals(layer);
  await journal.append([{ type: "run.followed", key: KEY, data }]);
  return { layer, account, repairs };
}

function toBytes(repairs: FollowedWork["repairs"]): Buffer {
  return Buffer.from(JSON.stringify(repairs));
}

/** What is on record of the run that this one follows. */
export async function readFollowed(contents: RecordedContents, data: Record<string, unknown>): Promise<FollowedWork> {
  const { layer, account, repairs } = RunFollowed.parse(data);
  return {
    layer: layer === null ? null : Layer.parse(JSON.parse((await contents.readWhole(layer)).toString())),
    account: (await contents.readWhole(account)).toString(),
    repairs: repairs === null ? [] : JSON.parse((await contents.readWhole(repairs)).toString()),
  };
}
