import { DrydockError } from "@drydock/protocol";
import type { ConversationSandbox, FunctionTool } from "../../../tasks/index.ts";
import { createSandboxTools } from "../../../tasks/index.ts";
import { execute } from "../../execute/index.ts";
import type { ExecPorts } from "../../runs/exec-ports.ts";
import type { Session, Sessions } from "../../sessions/api.ts";

/** Of the sandbox's tools, those that run code. The others have a model write it, which is another right. */
export const SANDBOX_TOOLS: readonly string[] = ["execute_code", "session_exec", "session_rollback"];

export interface SandboxSource {
  /** The tools for one call, which `signal` ends. */
  open(signal: AbortSignal): FunctionTool[];
  close(): Promise<void>;
}

/** The sandbox for the tools of one run: a session of its own, opened with the first use, and executions of their own. */
export function createSandboxSource(
  ports: ExecPorts & { sessions: Pick<Sessions, "open"> },
  parentRunId: string,
): SandboxSource {
  let opening: Promise<Session> | undefined;
  const openSession = () => {
    opening ??= ports.sessions.open({ language: "python" }).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const sandboxFor = (signal: AbortSignal): ConversationSandbox => ({
    async run(code) {
      const since = Date.now();
      const session = await openSession();
      const { stdout: output, ...ran } = await session.exec(code, { signal, parentRunId });
      const step = session.stats().kept.at(-1) ?? 0;
      return { ...ran, output, step, durationMs: Date.now() - since };
    },
    async runOnce({ language, code }) {
      const since = Date.now();
      const { stdout: output, ...ran } = await execute(ports, { language, code, signal, parentRunId });
      return { ...ran, output, variables: {}, durationMs: Date.now() - since };
    },
    rollback: async (to) => (await openSession()).rollback(to, { signal }),
    runTask: noModel,
    runWorkflow: noModel,
  });
  return {
    open: (signal) => createSandboxTools(sandboxFor(signal)).filter(({ name }) => SANDBOX_TOOLS.includes(name)),
    async close() {
      const session = await opening?.catch(() => undefined);
      await session?.close();
    },
  };
}

async function noModel(): Promise<never> {
  throw new DrydockError("input.invalid", "This tool is not for runners.", "Ask a model with invoke_llm instead.");
}
