import { type EffectivePolicy, SessionLanguage } from "@drydock/protocol";
import * as z from "zod";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import type { SessionAction } from "../runs/session-record/read-actions.ts";
import type { Session } from "../sessions/api.ts";
import type { SessionPackages } from "../sessions/index.ts";
import { checkParts } from "./find-alterations.ts";
import { choosePolicy, refuseNetwork } from "./frozen-policy.ts";
import { openReplayWorkspace } from "./open-workspace.ts";
import { readInput } from "./read-input.ts";
import { notReplayable } from "./read-recorded.ts";
import { readRequest } from "./read-request.ts";
import { type ReplayAction, type ReplayedActions, replayActions } from "./replay-actions.ts";
import type { ReplayPorts, ReplayRequest } from "./replayer.ts";

const RecordedStep = z.object({ language: SessionLanguage, code: z.string(), look: z.boolean().default(false) });
const RecordedOpening = z.object({ requirements: z.array(z.string()).optional(), policy: z.unknown().optional() });

interface ReplaySession extends ReplayedActions {
  session: Session;
  close(): Promise<void>;
}

/**
 * A fresh session in which everything is done again that led to the last of the actions, each step compared. It is opened
 * as its first step says; where there is none yet, as `next` does.
 */
export async function openReplaySession(
  ports: ReplayPorts,
  actions: readonly SessionAction[],
  { run }: Pick<RecordedRun, "run">,
  request: ReplayRequest,
  next?: RecordedRun,
): Promise<ReplaySession> {
  const records = actions.filter(({ kind }) => kind === "step").map(({ record }) => record);
  const first = records[0] ?? next;
  if (!first) throw notReplayable(run.id, "its session had no steps by then", "There is nothing to execute again.");
  refuseNetwork(records, request);
  const { language } = readRequest(first, RecordedStep);
  const policy = await choosePolicy(ports, readOpening(first), request, first.run.workspace);
  const prepared = await prepareActions(ports, actions, request);
  // The record of the run itself has been checked.
  const others = records.filter((record) => record.run.id !== run.id);
  const altered = await checkParts(ports, others);
  const place = { policy, delivered: records.toReversed() };
  const workspace = await openReplayWorkspace(ports, first, request, place);
  let session: Session | undefined;
  const close = async () => {
    await session?.close();
    await workspace.close();
  };
  try {
    const packages = await openPackages(ports, first, request, workspace.path, policy);
    const options = { language, policy, signal: request.signal };
    session = await ports.sessions.open(
      { ...options, ...(workspace.path !== null && { workspace: workspace.path }) },
      packages,
    );
    const replayed = await replayActions(ports, session, prepared, request);
    const divergences = [...altered, ...workspace.divergences, ...replayed.divergences];
    return { ...replayed, session, divergences, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The record of the first step, with the policy that the session was opened with. */
function readOpening({ run, events }: RecordedRun): RecordedRun {
  const [created, ...rest] = events;
  const { policy } = RecordedOpening.parse(created?.data.opened ?? {});
  if (!created || policy === undefined) return { run, events };
  return { run, events: [{ ...created, data: { ...created.data, policy } }, ...rest] };
}

/** Rejects where something that a step needs is not on record. */
async function prepareActions(ports: ReplayPorts, actions: readonly SessionAction[], request: ReplayRequest) {
  const prepared: ReplayAction[] = [];
  for (const action of actions) {
    if (action.kind !== "step") {
      prepared.push(action);
      continue;
    }
    const { code, look } = readRequest(action.record, RecordedStep);
    const policy = await choosePolicy(ports, action.record, request, action.record.run.workspace);
    prepared.push({ ...action, again: { code, look, policy, stdin: await readInput(ports, action.record) } });
  }
  return prepared;
}

/** The same packages, by what was asked for: a record can't name a directory of this machine. */
async function openPackages(
  ports: ReplayPorts,
  first: RecordedRun,
  { signal, network = false }: ReplayRequest,
  workspace: string | null,
  policy: EffectivePolicy,
): Promise<SessionPackages | undefined> {
  const { requirements } = RecordedOpening.parse(first.events[0]?.data.opened ?? {});
  if (requirements === undefined) return undefined;
  const environments = await ports.environments();
  const found = await environments.open({ requirements, install: network, policy, workspace, signal });
  return { ...found, requirements };
}
