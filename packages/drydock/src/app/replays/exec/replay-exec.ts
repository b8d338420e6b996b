import { execute, loadExecWithPackages } from "../../execute/index.ts";
import type { RecordedRun } from "../../runs/recorded/recorded-run.ts";
import { compareExecutions } from "../compare-executions.ts";
import { choosePolicy, refuseNetwork } from "../frozen-policy.ts";
import { openReplayWorkspace } from "../open-workspace.ts";
import { readInput } from "../read-input.ts";
import { notReplayable } from "../read-recorded.ts";
import { readRequest } from "../read-request.ts";
import type { Replayed, ReplayPorts, ReplayRequest } from "../replayer.ts";
import { pickWork, RecordedExec, readCode } from "./read-exec-work.ts";

/** The same code or command with the same input, in a fresh sandbox. */
export async function replayExec(ports: ReplayPorts, recorded: RecordedRun, request: ReplayRequest): Promise<Replayed> {
  const { run, events } = recorded;
  const { signal, parentRunId, network = false } = request;
  const wanted = readRequest(recorded, RecordedExec);
  if (wanted.unconfined) {
    throw notReplayable(run.id, "it ran without a sandbox, and a replay never does", "Run it again in a sandbox.");
  }
  refuseNetwork([recorded], request);
  const code = await readCode(ports, run.id, wanted);
  const stdin = await readInput(ports, recorded);
  const policy = await choosePolicy(ports, recorded, request, run.workspace);
  const workspace = await openReplayWorkspace(ports, recorded, request, { policy, delivered: [recorded] });
  try {
    const options = {
      ...pickWork(wanted, code),
      ...(workspace.path !== null && { workspace: workspace.path }),
      ...{ policy, signal, parentRunId, stdin },
    };
    const extras = { replayOf: run.id };
    // Packages that are missing are fetched only where the replay may use the network.
    const install = wanted.install === true && network;
    const result = wanted.requirements
      ? await (await loadExecWithPackages()).execWithPackages(
          ports,
          ports.environments,
          { ...options, install },
          extras,
        )
      : await execute(ports, options, extras);
    const divergences = compareExecutions("run", events, await ports.readEvents(result.runId));
    return {
      ...{ runId: result.runId, verdict: "unverified", treeHash: result.treeHash || null, steps: 1, notes: [] },
      divergences: [...workspace.divergences, ...divergences],
    };
  } finally {
    await workspace.close();
  }
}
