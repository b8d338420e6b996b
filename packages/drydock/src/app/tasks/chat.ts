import { DrydockError } from "@drydock/protocol";
import { askModel } from "../../models/index.ts";
import type { OnProgress } from "../../tasks/index.ts";
import type { ChatResult, PartOptions } from "../models/api.ts";
import type { PythonTaskPorts } from "./create-python-tasks.ts";
import { recordRun } from "./record-task.ts";

export async function chat(ports: PythonTaskPorts, options: PartOptions): Promise<ChatResult> {
  const { system = "", messages, tools, output, maxOutputTokens, onText, onNotice } = options;
  const { effective: policy } = await ports.policies.resolve({});
  const title = messages.findLast(({ role }) => role === "user")?.text ?? "chat";
  const data = { policy, request: { messages: messages.length, tools: tools?.map(({ name }) => name) ?? [] } };
  const onProgress: OnProgress = (progress) => {
    if (progress.kind === "notice") onNotice?.(progress.text);
  };
  const request = {
    ...options,
    model: options.model,
    budget: undefined,
    kind: "agent" as const,
    title,
    data,
    onProgress,
  };
  const { runId, outcome } = await recordRun(ports, { ...request, workspace: null }, async (recorded) => {
    const question = { key: "chat", step: "chat" as const, system, messages, tools, output, maxOutputTokens, onText };
    const answer = await askModel(recorded, { ...question, signal: recorded.signal });
    return { value: answer, ok: true, data: {} };
  });
  if (outcome.kind === "done") return { runId, answer: outcome.value };
  const { code, message, hint, data: particulars } = outcome.error;
  throw new DrydockError(code, message, hint, { ...particulars, runId }, outcome.error);
}
