import type { ExecResult } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import type { ExecOptions } from "../execute/api.ts";
import { invalidInputError, readRequest, titleOf, toSandboxWork } from "../execute/index.ts";
import { nameParent } from "../runs/exec-ports.ts";
import { asDrydockError, refuseRun } from "../runs/refuse-run.ts";
import type { Sessions } from "./api.ts";

/** A step of a live session with the promise of `exec`: a result for everything but a request that can't be read. */
export async function execInSession(
  ledger: Ledger,
  sessions: Pick<Sessions, "find">,
  sessionId: string,
  options: ExecOptions,
): Promise<ExecResult> {
  const request = await readRequest(options);
  const { code, signal, onOutput, stdin, onInput, policy, unsafe, parentRunId } = options;
  if (code === undefined) throw invalidInputError("A session runs code, no commands.");
  for (const name of ["workspace", "args", "filename", "unconfined", "requirements"] as const) {
    if (options[name] !== undefined) throw invalidInputError(`A step of a session has no ${name} of its own.`);
  }
  try {
    const session = await sessions.find(sessionId);
    const { language } = session.stats();
    if (request.language !== undefined && request.language !== language)
      throw invalidInputError(`The session ${sessionId} runs ${language}.`);
    return await session.exec(code, { signal, onOutput, stdin, onInput, policy, unsafe, parentRunId });
  } catch (error) {
    const refusal = asDrydockError(error);
    if (refusal.code === "input.invalid") throw refusal;
    const { id: runId } = await ledger.createRun({
      kind: "session",
      title: titleOf(ledger, toSandboxWork(request)),
      sessionId,
      workspace: null,
      data: { policy: null, request: { session: sessionId }, ...nameParent(options) },
    });
    return refuseRun(ledger, runId, refusal);
  }
}
