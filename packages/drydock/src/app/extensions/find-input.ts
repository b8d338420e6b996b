import { DrydockError, type ResponseInfo } from "@drydock/protocol";
import { findRunnerKind, type InputResponse } from "../../extensions/index.ts";
import type { CallPorts } from "./call-ports.ts";
import type { RoutedCall } from "./prepare-call.ts";

/** Whether its runner may look at the last response, and ask a model: an analysis, or one that a program registered. */
export function mayAnalyze({ runner }: RoutedCall["action"]): boolean {
  return findRunnerKind(runner)?.isAnalysis ?? true;
}

/** Whether an action works on a response: it names it, or its runner may look at it. */
export function readsInput({ action }: RoutedCall): boolean {
  return mayAnalyze(action) || namesInput(action);
}

function namesInput({ args, stdin, request }: RoutedCall["action"]): boolean {
  return /\{\{\s*input\s*\}\}/.test(JSON.stringify([args, stdin, request]));
}

/** An action that names a response and has no file has no input. */
export function needsInput({ action, values }: RoutedCall): boolean {
  const hasOwnInput = [...action.arguments, ...action.flags].some(
    ({ name, type }) => type === "path" && values[name] !== undefined,
  );
  return !hasOwnInput && namesInput(action);
}

const LOOKS_BACK = 20;

/** The last response of the session, whole. One analysis after another looks at what there was to analyse. */
export async function findInput(
  ports: CallPorts,
  session: string,
  { action }: RoutedCall,
): Promise<InputResponse | null> {
  const { responses } = ports.ledger;
  if (!isAnalysis(action.runner)) return readInput(ports, await responses.last(session));
  const history = await responses.history(session, { limit: LOOKS_BACK });
  const found = history.find(({ metadata }) => !isAnalysis(String(metadata.runner))) ?? history[0];
  return found ? readInput(ports, await responses.read(found.id)) : null;
}

function isAnalysis(runner: string): boolean {
  return findRunnerKind(runner)?.isAnalysis ?? false;
}

export async function readInput(
  { ledger }: CallPorts,
  response: (ResponseInfo & { text: string }) | null,
): Promise<InputResponse | null> {
  if (!response) return null;
  const { text, ...info } = response;
  if (!info.truncated || !info.artifact) return { info, text };
  const whole = await ledger.artifacts.read(info.artifact.id).catch(() => null);
  return { info, text: whole ? whole.toString() : text };
}

export function noResponseError({ command, action }: RoutedCall, session: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    `/${command} ${action.name} works on a response, and the session ${session} has none yet.`,
    `Call something first, or pipe it in: /… | /${command} ${action.name}`,
    { session },
  );
}
