import type { CheckEntry } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import { requireRun } from "../runs/require-run.ts";
import type { WrapOptions } from "./api.ts";

/** What a wrap was asked for, as its record has it. */
interface EarlierRequest {
  /** All of it, for the record of a run that comes of it. */
  request: Record<string, unknown>;
  command: string[];
  /** Those of its caller. The policy and the workspace are asked again: theirs are the ones that hold now. */
  checks: CheckEntry[];
  mayChange: string[];
}

export async function readEarlierRequest(ledger: Ledger, runId: string): Promise<EarlierRequest> {
  await requireRun(ledger, runId);
  const [created] = await ledger.events(runId, { limit: 1 });
  const request = (created?.data.request ?? {}) as Record<string, unknown>;
  const { command, checks, mayChange } = request as {
    command?: string[];
    checks?: { source: string; check: CheckEntry }[];
    mayChange?: string[];
  };
  return {
    request,
    command: command ?? ["true"],
    checks: (checks ?? []).flatMap(({ source, check }) => (source === "user" ? [check] : [])),
    mayChange: mayChange ?? [],
  };
}

/** Who goes on from a run has its changes, and so the checks that judge them: none is dropped on the way. */
export async function inheritChecks(ledger: Ledger, options: WrapOptions): Promise<WrapOptions> {
  if (options.from === undefined) return options;
  const { checks, mayChange } = await readEarlierRequest(ledger, options.from);
  return {
    ...options,
    checks: [...checks, ...(options.checks ?? [])],
    mayChange: [...new Set([...mayChange, ...(options.mayChange ?? [])])],
  };
}
