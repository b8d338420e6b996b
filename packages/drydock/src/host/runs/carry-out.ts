import type { ResultPayload } from "@drydock/protocol/runner";
import { ApiError, type Message, readText } from "@drydock/protocol/runner";
import { matchName } from "../../policy/index.ts";
import type { ApiContext } from "../access/create-api.ts";
import { setState } from "../access/storage-api.ts";
import type { ActionOutcome } from "../ports.ts";
import type { ResultStep, RunnerEnd } from "../results/result-step.ts";

export interface Effects {
  context: ApiContext;
  eventId: string;
  maxMessageChars: number | null;
  onDelta(text: string): void;
  requestAction(asked: ResultPayload<"action.requested">): Promise<ActionOutcome>;
}

/** Carries out what results ask for, one after the other, and remembers how the run ended. */
export function createEffects({ context, eventId, maxMessageChars, onDelta, requestAction }: Effects) {
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
  };

  const takeAction = async ({ action, target = null, payload = null }: ResultPayload<"action.requested">) => {
    await record.append("action.requested", { action, target, payload });
    const isGranted = matchName(context.snapshot.actions, action);
    const { status, runId, message }: ActionOutcome = isGranted
      ? await requestAction({ action, target, payload })
      : { status: "refused", runId: null, message: "the agent does not grant it" };
    await record.append("action.settled", { action, status, actionRunId: runId, message });
    if (status !== "done") await warn(`The action ${action} was not carried out: ${message}.`);
  };

  const apply = async (step: ResultStep): Promise<RunnerEnd | null> => {
    switch (step.kind) {
      case "delta":
        onDelta(step.text);
        return null;
      case "message":
        await sendMessage(step.message);
        return null;
      case "tool":
        await record.append("tool.reported", { type: step.type, ...step.data });
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
        await takeAction(step);
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
