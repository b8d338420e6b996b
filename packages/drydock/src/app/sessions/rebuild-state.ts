import { DrydockError, type PolicyDocument } from "@drydock/protocol";
import { keepSessionAccess, withoutGuard } from "../../policy/index.ts";
import type { SandboxSession } from "../../sandbox/index.ts";
import { dropContents } from "../runs/record/record-layer.ts";
import { recordOutput } from "../runs/record/record-output.ts";
import { findEnding } from "../runs/recorded/find-ending.ts";
import type { StepAction } from "../runs/session-record/read-actions.ts";
import { openInterpreter } from "./open-interpreter.ts";
import type { SessionParts } from "./session-parts.ts";

interface RebuiltState {
  live: SandboxSession;
  /** Where a step gave something else than recorded. */
  notes: string[];
  cpuMs: number;
}

/**
 * Runs recorded steps in a new interpreter, under the rules of today. Rejects if a step ends in another way than recorded; nothing
 * of the new interpreter is left then. `onOpened` gets it before the first step, so that it can be closed meanwhile.
 */
export async function rebuildState(
  parts: SessionParts,
  path: readonly StepAction[],
  { onOpened, signal }: { onOpened(live: SandboxSession): void; signal: AbortSignal | undefined },
): Promise<RebuiltState> {
  const live = await openInterpreter(parts.ports, { ...parts.options, signal }, parts.place);
  onOpened(live);
  const notes: string[] = [];
  let cpuMs = 0;
  try {
    for (const action of path) {
      const outcome = await runAgain(parts, live, action, signal);
      cpuMs += outcome.cpuMs;
      notes.push(...outcome.notes);
    }
  } catch (error) {
    live.close();
    throw error;
  }
  return { live, notes, cpuMs };
}

async function runAgain(
  { ports, options, place }: SessionParts,
  live: SandboxSession,
  action: StepAction,
  signal: AbortSignal | undefined,
): Promise<{ cpuMs: number; notes: string[] }> {
  const { number: step } = action;
  const { code, ...recorded } = readStep(action);
  const requested = recorded.policy ?? options.policy;
  const request = recorded.unsafe ? withoutGuard(requested) : requested;
  const rules = await ports.policies.resolve({ workspace: place.workspace, request, preset: options.preset });
  const policy = keepSessionAccess(rules.effective, place.policy);
  const outcome = await live.step({ code, filename: `<step ${step}>`, number: step, policy, rules, signal });
  await dropContents(outcome);
  if (signal?.aborted) {
    throw new DrydockError("run.cancelled", "The rollback was cancelled.", "The session is as it was.");
  }
  if ((outcome.error === null) !== recorded.ok) {
    const end = outcome.error ? `${outcome.error.code}: ${outcome.error.message}` : "it succeeded";
    throw new DrydockError(
      "session.rollback_refused",
      `Step ${step} ended in another way when it ran again (${end}).`,
      "The session is as it was. Return to a step before it, or to one that is kept.",
      { step },
    );
  }
  const again = recordOutput(ports.ledger, { stdout: outcome.stdout.toString(), stderr: outcome.stderr.toString() });
  const differs = (["stdout", "stderr"] as const).some(
    (stream) => ports.ledger.redact(String(again.data[stream])) !== recorded[stream],
  );
  const notes = differs ? [`step ${step} printed something else than when it was recorded`] : [];
  if (recorded.treeHash !== null && outcome.layer.treeHash !== recorded.treeHash)
    notes.push(`the files after step ${step} are not those that were recorded`);
  return { cpuMs: outcome.usage.cpuMs, notes };
}

/** Why running a step again would be something else, in words that follow its number; null: nothing known. */
export function findObstacle({ record: { events } }: StepAction): string | null {
  const { code, redacted } = Object(events[0]?.data.request);
  const has = (prefix: string) => events.some(({ type }) => type.startsWith(prefix));
  if (typeof code !== "string") return "its code is not on record";
  if (redacted === true) return "its code is recorded without its secrets";
  if (has("network.connected") || has("upstream.requested")) return "it used the network";
  if (has("input.")) return "it was given input";
  return null;
}

/** What a step without obstacles asked for beside its session, and how it ended. */
function readStep({ record: { run, events } }: StepAction) {
  const { code, policy, unsafe } = Object(events[0]?.data.request);
  const { stdout = "", stderr = "" } = events.find(({ type }) => type === "output.recorded")?.data ?? {};
  const { treeHash } = findEnding(events)?.data ?? {};
  return {
    code: String(code),
    policy: policy as PolicyDocument | undefined,
    unsafe: unsafe === true,
    ok: run.status === "succeeded",
    stdout: String(stdout),
    stderr: String(stderr),
    treeHash: typeof treeHash === "string" ? treeHash : null,
  };
}
