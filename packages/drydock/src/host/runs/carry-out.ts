import type { HostStep } from "@drydock/protocol";
import { ApiError, type Message, readText } from "@drydock/protocol/runner";
import type { ApiContext } from "../access/create-api.ts";
import { type StateAccess, setState } from "../access/storage-api.ts";
import type { ResultStep, RunnerEnd } from "../results/result-step.ts";

export interface Effects {
  context: StateAccess & Pick<ApiContext, "conversation">;
  eventId: string;
  maxMessageChars: number | null;
  onDelta(text: string): void;
  onStep(type: HostStep["type"], data: HostStep["data"]): void;
}

/** Carries out what results ask for, one after the other, and remembers how the run ended. */
export function createEffects({ context, eventId, maxMessageChars, onDelta, onStep }: Effects) {
  const { record, facts, conversation } = context;
  const artifacts: Record<string, unknown>[] = [];
  const messages: Message[] = [];
  const warnings: string[] = [];

  const warn = async (text: string) => {
    warnings.push(text);
    await record.append("runner.warned", { text });
  };

  const sendMessage = async (message: Message) => {
    const fitted = maxMessageChars === null ? message : cutTo(message, maxMessageChars);
    messages.push(fitted);
    await record.append("message.sent", { text: readText(fitted), artifacts: [...artifacts] });
    if (conversation !== null)
      await facts.transcript.add({ conversation, eventId, runId: record.id, message: fitted, artifacts });
    onStep("message.completed", { text: readText(fitted), message: fitted, artifacts: [...artifacts] });
  };

  const apply = async (step: ResultStep): Promise<RunnerEnd | null> => {
    switch (step.kind) {
      case "delta":
        onDelta(step.text);
        onStep("message.delta", { text: step.text });
        return null;
      case "message":
        await sendMessage(step.message);
        return null;
      case "tool":
        await record.append("tool.reported", { type: step.type, ...step.data });
        onStep(step.type, step.data);
        return null;
      case "artifact": {
        const { artifact_type, name = "artifact", mime_type: mime = "application/octet-stream" } = step.facts;
        if (step.content === null) {
          await warn("An artifact without content was ignored.");
          return null;
        }
        const artifact_id = await record.storeArtifact(step.content, { name, mime });
        artifacts.push({ artifact_id, artifact_type, name, mime_type: mime, size_bytes: step.content.length });
        return null;
      }
      case "state":
        try {
          await setState(context, step.scope, step.key, step.value);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          await warn(`A change of the state was refused: ${error.message}`);
        }
        return null;
      case "action":
        await record.append("action.requested", { action: step.action, target: step.target ?? null });
        await warn(`The action ${step.action} was not carried out: nothing is registered for it.`);
        return null;
      case "warning":
        await warn(step.text);
        return null;
      case "end":
        return step.end;
      default:
        return step satisfies never;
    }
  };
  return { apply, messages, warnings };
}

function cutTo(message: Message, chars: number): Message {
  const text = readText(message);
  return text.length <= chars ? message : { ...message, content: text.slice(0, chars) };
}
