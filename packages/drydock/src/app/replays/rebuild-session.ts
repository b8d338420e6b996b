import { type Divergence, DrydockError, type EffectivePolicy, SessionLanguage } from "@drydock/protocol";
import * as z from "zod";
import type { Input } from "../runs/api.ts";
import type { Session } from "../sessions/api.ts";
import { loadSessionHistory, type SessionAction, type SessionPackages } from "../sessions/index.ts";
import { compareExecutions, compareFacts } from "./compare-executions.ts";
import { checkParts } from "./find-alterations.ts";
import { choosePolicy, refuseNetwork } from "./frozen-policy.ts";
import { openReplayWorkspace } from "./open-workspace.ts";
import { readInput } from "./read-input.ts";
import { notReplayable } from "./read-recorded.ts";
import { readRequest } from "./read-request.ts";
import type { RecordedRun, ReplayPorts, ReplayRequest } from "./replayer.ts";

const RecordedStep = z.object({ language: SessionLanguage, code: z.string(), look: z.boolean().default(false) });
const RecordedOpening = z.object({ requirements: z.array(z.string()).optional(), policy: z.unknown().optional() });

interface RebuiltSession {
  session: Session;
  /** The directory that it works on. */
  workspace: string | null;
  /** The replay of each step, by the id of the step's run. */
  replays: Map<string, string>;
  treeHash: string | null;
  divergences: Divergence[];
  close(): Promise<void>;
}

type StepAction = SessionAction & { kind: "step" };

/**
 * A fresh session in which everything is done again that led to the last of the actions, each step compared. It is opened
 * as its first step says; where there is none yet, as `next` does.
 */
export async function rebuildSession(
  ports: ReplayPorts,
  actions: readonly SessionAction[],
  { run }: Pick<RecordedRun, "run">,
  request: ReplayRequest,
  next?: RecordedRun,
): Promise<RebuiltSession> {
  const steps = actions.filter((action): action is StepAction => action.kind === "step");
  const records = steps.map(({ record }) => record);
  const first = records[0] ?? next;
  if (!first) throw notReplayable(run.id, "its session had no steps by then", "There is nothing to execute again.");
  refuseNetwork(records, request);
  const { language } = readRequest(first, RecordedStep);
  const policy = await choosePolicy(ports, readOpening(first), request, first.run.workspace);
  const codes = await readCodes(ports, steps, request);
  // The record of the run itself has been checked.
  const others = records.filter((record) => record.run.id !== run.id);
  const altered = await checkParts(ports, others);
  const place = { policy, delivered: records.toReversed() };
  const workspace = await openReplayWorkspace(ports, first, request, place);
  const divergences = [...altered, ...workspace.divergences];
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
    const rebuilt: RebuiltSession = {
      ...{ session, workspace: workspace.path, replays: new Map(), treeHash: null, divergences, close },
    };
    await compareActions(ports, rebuilt, actions, codes, request);
    return rebuilt;
  } catch (error) {
    await close();
    throw error;
  }
}

async function compareActions(
  ports: ReplayPorts,
  rebuilt: RebuiltSession,
  actions: readonly SessionAction[],
  codes: ReadonlyMap<SessionAction, StepAgain>,
  { signal, parentRunId }: ReplayRequest,
): Promise<void> {
  const { session, divergences, replays } = rebuilt;
  const { carryOutActions } = await loadSessionHistory();
  let last = "the first step";
  try {
    await carryOutActions(session, actions, {
      ...{ signal, parentRunId },
      readStep: (action) => {
        last = nameStep(action);
        const step = codes.get(action);
        if (!step) throw notReplayable(action.record.run.id, "its code is not on record");
        return { ...step, replayOf: action.record.run.id };
      },
      async onStep(action, { runId, treeHash }) {
        replays.set(action.record.run.id, runId);
        rebuilt.treeHash = treeHash || rebuilt.treeHash;
        const replayed = await ports.readEvents(runId);
        divergences.push(...compareExecutions(nameStep(action), action.record.events, replayed));
      },
      async onRollback({ to, record }, kept) {
        const was = record.events.find(({ type }) => type === "step.rolled_back")?.data.kept;
        // A copy keeps fewer steps than the session that goes on in its place.
        const isSame = Array.isArray(was) && was.every((step) => kept.includes(step));
        if (!isSame) divergences.push(...compareFacts(`rollback to step ${to}`, { kept: was }, { kept }));
      },
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DrydockError)) throw error;
    divergences.push({ step: last, what: "the session", recorded: "open", replayed: error.message });
  }
}

function nameStep({ number }: StepAction): string {
  return `step ${number}`;
}

/** The record of the first step, with the policy that the session was opened with. */
function readOpening({ run, events }: RecordedRun): RecordedRun {
  const [created, ...rest] = events;
  const { policy } = RecordedOpening.parse(created?.data.opened ?? {});
  if (!created || policy === undefined) return { run, events };
  return { run, events: [{ ...created, data: { ...created.data, policy } }, ...rest] };
}

interface StepAgain {
  code: string;
  look: boolean;
  policy: EffectivePolicy;
  stdin: Input | undefined;
}

async function readCodes(ports: ReplayPorts, steps: readonly StepAction[], request: ReplayRequest) {
  const codes = new Map<SessionAction, StepAgain>();
  for (const action of steps) {
    const { code, look } = readRequest(action.record, RecordedStep);
    const policy = await choosePolicy(ports, action.record, request, action.record.run.workspace);
    codes.set(action, { code, look, policy, stdin: await readInput(ports, action.record) });
  }
  return codes;
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
