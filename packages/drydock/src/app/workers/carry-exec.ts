import type { EffectivePolicy, Run } from "@drydock/protocol";
import { execute, loadExecWithPackages } from "../execute/index.ts";
import type { Environments } from "../packages/index.ts";
import { pickWork, RecordedExec, readCode, readFrozenPolicy, readRequest } from "../replays/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import { readAllEvents } from "../runs/recorded/read-all-events.ts";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";

export interface CarryPorts extends ExecPorts {
  environments(): Promise<Environments>;
}

/** How a run is carried out under a claim. */
export interface Under {
  signal: AbortSignal;
  /** Another worker had it before. */
  isTakenOver: boolean;
}

/** An execution that was ordered: what its record says, under its frozen policy and this machine's own. */
export async function carryExec(ports: CarryPorts, run: Run, { signal, isTakenOver }: Under): Promise<void> {
  const recorded: RecordedRun = { run, events: await readAllEvents(ports.ledger, run.id) };
  const policy = readFrozenPolicy(recorded);
  if (isTakenOver && mayHaveActed(recorded, policy)) {
    const reason =
      "Its worker was gone after it had begun. It could reach the network, so that it is not done a second time.";
    await ports.ledger.finish(run.id, { type: "run.lost", data: { reason, isRetryable: true } });
    return;
  }
  const wanted = readRequest(recorded, RecordedExec);
  const code = await readCode(ports, run.id, wanted);
  const options = {
    ...pickWork(wanted, code),
    ...(run.workspace !== null && { workspace: run.workspace }),
    ...{ policy, signal, stdin: await readOrderedInput(ports, recorded) },
  };
  const extras = { claimed: run.id };
  if (!wanted.requirements) return void (await execute(ports, options, extras));
  const { execWithPackages } = await loadExecWithPackages();
  await execWithPackages(ports, ports.environments, { ...options, install: wanted.install }, extras);
}

/** What runs in the sandbox acts on nothing but its own layer, which is gone with it: only the network leads out. */
function mayHaveActed({ events }: RecordedRun, policy: EffectivePolicy): boolean {
  return events.some(({ type }) => type === "run.started") && isConnected(policy);
}

function isConnected({ network }: EffectivePolicy): boolean {
  return network.allow.length > 0 || network.upstreams.length > 0;
}

async function readOrderedInput(
  ports: Pick<ExecPorts, "ledger">,
  { events }: RecordedRun,
): Promise<Buffer | undefined> {
  const input = events[0]?.data.input as { sha256: string } | undefined;
  return input && ports.ledger.blobs.readWhole(input.sha256);
}
