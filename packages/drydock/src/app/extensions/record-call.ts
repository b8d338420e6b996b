import {
  type CapabilityError,
  type CapabilityResult,
  DrydockError,
  type ErrorInfo,
  type ParameterValue,
} from "@drydock/protocol";
import { fitText } from "../../base/text/index.ts";
import { formatCall, parseJson, type RunnerOutcome } from "../../extensions/index.ts";
import type { Ledger, NewEvent, StagedResponse } from "../../ledger/index.ts";
import { nameParent, nameReplayed, titleOfReplay } from "../runs/exec-ports.ts";
import type { CapabilityContext } from "./api.ts";
import type { PreparedCall, RoutedCall } from "./prepare-call.ts";

export const DEFAULT_SESSION = "default";
export const DEFAULT_USER = "owner";

export interface Caller {
  session: string;
  user: string;
}

/** The request and its caller, frozen into the run. */
export async function createCallRun(
  ledger: Ledger,
  call: RoutedCall,
  { session, user }: Caller,
  context: CapabilityContext,
  prepared: PreparedCall | null,
  more: Record<string, unknown> = {},
  replay: { replayOf?: string } = {},
): Promise<string> {
  const { extension, command, action, values } = call;
  const capability = {
    ...{ extension, version: prepared?.record.manifest.version ?? null, command, action: action.name },
    ...{ values: shorten(ledger, values), user, session, risk: action.risk, ...more },
  };
  const policy = prepared?.grant.policy ?? null;
  const workspace = prepared?.place.path ?? null;
  const data = { policy, capability, ...nameParent(context), ...nameReplayed(replay) };
  const title = replay.replayOf === undefined ? titleOf(ledger, call) : titleOfReplay(replay.replayOf);
  return (await ledger.createRun({ kind: "capability", title, workspace, data })).id;
}

const TITLE_CHARS = 200;
const VALUE_CHARS = 4000;

/** A record holds the request; large values are cut there. Secrets are removed before the cut. */
function shorten(ledger: Pick<Ledger, "redact">, values: RoutedCall["values"]): RoutedCall["values"] {
  const cut = ([name, value]: [string, ParameterValue]): [string, ParameterValue] => {
    const text = textOf(value);
    if (text.length <= VALUE_CHARS) return [name, value];
    return [name, `${ledger.redact(text).slice(0, VALUE_CHARS)}… (${text.length} characters)`];
  };
  return Object.fromEntries(Object.entries(values).map(cut));
}

/** Whether the record holds less than the values. */
export function isShortened(values: RoutedCall["values"]): boolean {
  return Object.values(values).some((value) => textOf(value).length > VALUE_CHARS);
}

function textOf(value: ParameterValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function titleOf(ledger: Pick<Ledger, "redact">, { command, action, values }: RoutedCall): string {
  const title = ledger.redact(formatCall(command, action, values)).replace(/\s+/g, " ");
  return fitText(title, TITLE_CHARS);
}

export function terminalEvent(error: ErrorInfo | null, data: Record<string, unknown>): NewEvent {
  const type = error === null ? "run.succeeded" : error.code === "run.cancelled" ? "run.cancelled" : "run.failed";
  return { type, data: { verdict: "unverified", treeHash: null, error, ...data } };
}

interface CallHeader {
  runId: string | null;
  call: RoutedCall | null;
  session: string;
  durationMs: number;
}

export function toCapabilityError(
  { runId, call, session, durationMs }: CallHeader,
  error: ErrorInfo,
  outcome?: Partial<Pick<CapabilityError, "output" | "artifacts" | "metadata" | "notes">>,
): CapabilityError {
  return {
    type: "capability_error",
    success: false,
    ...{ runId, extension: call?.extension ?? null, command: call?.command ?? null, action: call?.action.name ?? null },
    ...{ session, durationMs, error },
    ...{ output: "", artifacts: [], metadata: {}, notes: [], ...outcome },
  };
}

export function toCapabilityResult(
  { runId, call, session, durationMs }: CallHeader,
  { content, artifacts, metadata, notes }: RunnerOutcome,
  response: Pick<StagedResponse, "info" | "text">,
  mayShow: boolean,
): CapabilityResult {
  const { info, text } = response;
  // What is stored is without secrets; what the caller gets of a tool is the tool's, unless a secret of ours went into it.
  const output = mayShow && info.artifact === null ? Buffer.from(content).toString() : text;
  const json =
    info.truncated || info.artifact ? undefined : (parseJson(Buffer.from(output)) as ParameterValue | undefined);
  return {
    type: "capability_result",
    success: true,
    ...{ runId, extension: call?.extension ?? null, command: call?.command ?? null, action: call?.action.name ?? null },
    ...{ session, durationMs, output, ...(json === undefined ? {} : { json }), truncated: info.truncated },
    artifacts: info.artifact ? [...artifacts, info.artifact] : artifacts,
    ...{ responseId: info.id, metadata, notes },
  };
}

export function cancelledError(): DrydockError {
  return new DrydockError("run.cancelled", "The call was cancelled.", "Call it again when you want it.");
}
