import { DrydockError, type ExecRequest } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import type { Work } from "../../sandbox/index.ts";
import { cutRedacted } from "../runs/record/cut-redacted.ts";
import type { ExecOptions } from "./api.ts";

const MAX_CODE_BYTES = 64 * 1024 * 1024;
const TITLE_CHARS = 100;

/** The data of a request, checked; functions and streams are taken aside before. Its policy is read with the others. */
export async function readRequest(options: ExecOptions): Promise<ExecRequest & { unsafe: boolean }> {
  const {
    stdin: _stdin,
    onInput: _onInput,
    signal: _signal,
    onOutput: _onOutput,
    onReading: _onReading,
    onStarted: _onStarted,
    parentRunId: _parentRunId,
    caller: _caller,
    unsafe,
    policy,
    ...data
  } = options;
  const request = isRequest(data) ? data : await parseRequest(data);
  if (request.command && request.code !== undefined)
    throw invalidInputError("A request holds code or a command, not both.");
  if (!request.command && request.code === undefined) throw invalidInputError("A request needs code, or a command.");
  if (request.command && request.language) throw invalidInputError("A command has no language.");
  if (request.command?.[0] === "") throw invalidInputError("The name of the command is empty.");
  if (request.command?.some((word) => word.includes("\0"))) throw invalidInputError("A command can't hold NUL bytes.");
  if ((request.code?.length ?? 0) > MAX_CODE_BYTES)
    throw invalidInputError(`The code is over ${MAX_CODE_BYTES} bytes.`);
  return { ...request, policy, unsafe: unsafe === true };
}

const isText = (value: unknown) => typeof value === "string";
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const FIELDS: Record<keyof Omit<ExecRequest, "policy">, (value: unknown) => boolean> = {
  language: (value) => value === "python" || value === "node" || value === "bash",
  code: isText,
  filename: isText,
  args: isTexts,
  command: (value) => isTexts(value) && (value as string[]).length > 0,
  workspace: isText,
  session: isText,
  unconfined: (value) => typeof value === "boolean",
  requirements: isTexts,
  install: (value) => typeof value === "boolean",
};

/** The schema's answer for what is plainly right, without the schema: loading it takes as long as starting an interpreter. */
export function isRequest(data: object): data is ExecRequest {
  return Object.entries(data).every(
    ([key, value]) => Object.hasOwn(FIELDS, key) && (value === undefined || FIELDS[key as keyof typeof FIELDS](value)),
  );
}

async function parseRequest(data: object): Promise<ExecRequest> {
  const { ExecRequest, explainIssues } = await import("@drydock/protocol");
  const parsed = ExecRequest.safeParse(data);
  if (parsed.success) return parsed.data;
  const [problem = "it can't be read"] = explainIssues(parsed.error.issues, "it");
  throw invalidInputError(`The request is not valid: ${problem.replace(/^it: /, "it ")}.`);
}

export function invalidInputError(message: string): DrydockError {
  return new DrydockError("input.invalid", message, "Give { language, code } or { command: [name, …arguments] }.");
}

export function toSandboxWork(request: ExecRequest): Work {
  if (request.command) return { language: "command", code: "", argv: request.command };
  const { language = "python", code = "", filename, args } = request;
  return { language, code, filename, args };
}

/** The request in one line, for lists. */
export function titleOf(ledger: Pick<Ledger, "redact">, work: Work): string {
  const text = work.argv ? work.argv.join(" ") : (work.filename ?? work.code);
  const line = text.split("\n").find((part) => part.trim() !== "") ?? "";
  const short = cutRedacted(ledger, line.trim(), TITLE_CHARS);
  return work.argv ? short : `${work.language}: ${short}`;
}
