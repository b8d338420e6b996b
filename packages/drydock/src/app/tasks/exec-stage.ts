import type { PolicyDocument } from "@drydock/protocol";
import type { OnProgress, Stage } from "../../tasks/index.ts";
import { execute } from "../execute/index.ts";
import { execInSession } from "../sessions/index.ts";
import type { PythonTaskPorts } from "./create-python-tasks.ts";

/** Where each piece of code is an execution of its own: in a fresh sandbox, or as a step of the session that is named. */
export function createExecStage(
  ports: PythonTaskPorts,
  language: Stage["language"],
  { session, workspace, request }: { session?: string; workspace: string | null; request: PolicyDocument | undefined },
  { runId, signal, onProgress }: { runId: string; signal: AbortSignal; onProgress: OnProgress },
): Stage {
  return {
    language,
    async run(code) {
      const since = Date.now();
      const execRequest = {
        ...{ language, code, policy: request, signal, parentRunId: runId },
        onOutput: (chunk: { stream: "stdout" | "stderr"; text: string }) => onProgress({ kind: "output", ...chunk }),
      };
      const ran =
        session === undefined
          ? await execute(ports, { ...execRequest, ...(workspace !== null && { workspace }) })
          : await execInSession(ports.ledger, ports.sessions, session, { ...execRequest, session });
      const { ok, stdout: output, stderr, result, error, artifacts, changes, notes } = ran;
      const fields = { ok, runId: ran.runId, output, stderr, result, error, artifacts, changes, notes };
      return { ...fields, variables: {}, durationMs: Date.now() - since };
    },
    async undo() {
      if (session !== undefined) await ports.sessions.get(session).rollback();
    },
  };
}
