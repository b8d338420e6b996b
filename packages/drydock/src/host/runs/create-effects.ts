import type { HostStep } from "@drydock/protocol";
import type { ResultPayload } from "@drydock/protocol/runner";
import { ApiError, type Message, readText } from "@drydock/protocol/runner";
import { isMediaType } from "../../base/text/index.ts";
import { matchName } from "../../policy/index.ts";
import type { ApiContext } from "../access/create-api.ts";
import { createTally, ONE_BY_ONE } from "../access/create-tally.ts";
import { type StateAccess, setState } from "../access/storage-api.ts";
import type { ActionOutcome } from "../ports.ts";
import type { ResultStep, RunnerEnd } from "../results/result-step.ts";
import { type Delivery, splitMessage } from "./deliver.ts";
import { storeInline } from "./inline-contents.ts";
import type { EffectRequest } from "./request-action.ts";

const UNKNOWN_TYPE = "application/octet-stream";

export interface Effects {
  context: StateAccess & Pick<ApiContext, "conversation">;
  eventId: string;
  delivery: Delivery;
  onDelta(text: string): void;
  onStep(type: HostStep["type"], data: HostStep["data"]): void;
  requestAction(request: EffectRequest): Promise<ActionOutcome>;
}

/** Carries out what results ask for, one after the other, and remembers how the run ended. */
export function createEffects({ context, eventId, delivery, onDelta, onStep, requestAction }: Effects) {
  const { record, facts, conversation } = context;
  const artifacts: Record<string, unknown>[] = [];
  const messages: Message[] = [];
  const warnings: string[] = [];
  const countWarnings = createTally();

  const warn = async (text: string) => {
    const count = countWarnings();
    if (count === null) return;
    const counted = `The run has ${count} warnings so far. Not all of them are on record.`;
    const noted = count > ONE_BY_ONE ? { text: counted, count } : { text };
    warnings.push(noted.text);
    await record.append("runner.warned", noted);
  };

  const sendMessage = async (message: Message) => {
    const { message: kept, stored } = await storeInline(record, message);
    artifacts.push(...stored);
    await record.append("message.sent", {
      ...{ text: readText(kept), artifacts: [...artifacts] },
      ...(!delivery.replies && { delivered: false }),
    });
    if (conversation !== null)
      await facts.transcript.add({ conversation, eventId, runId: record.id, message: kept, artifacts });
    onStep("message.completed", { text: readText(kept), message: kept, artifacts: [...artifacts] });
    if (!delivery.replies) return;
    for (const part of splitMessage(kept, delivery.maxMessageChars)) {
      messages.push(part);
      const problem = await delivery.deliver(part);
      if (problem) await warn(problem);
    }
  };

  const apply = async (step: ResultStep): Promise<RunnerEnd | null> => {
    switch (step.kind) {
      case "delta":
        if (delivery.streams) onDelta(step.text);
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
        const stored = await storeArtifact(record, step, warn);
        if (stored) artifacts.push(stored);
        return null;
      }
      case "state":
        try {
          await setState(context, step, "result");
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          await warn(`A change of the state was refused: ${error.message}`);
        }
        return null;
      case "action":
        await takeAction(context, step, requestAction, warn);
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

/** Null where it has no content. */
async function storeArtifact(
  record: ApiContext["record"],
  { facts, content }: Extract<ResultStep, { kind: "artifact" }>,
  warn: (text: string) => Promise<void>,
): Promise<Record<string, unknown> | null> {
  const { artifact_type, name = "artifact", mime_type = UNKNOWN_TYPE } = facts;
  if (content === null) {
    await warn("An artifact without content was ignored.");
    return null;
  }
  const mime = isMediaType(mime_type) ? mime_type : UNKNOWN_TYPE;
  if (mime !== mime_type) await warn(`The type of an artifact is not valid, and became ${mime}.`);
  const artifact_id = await record.storeArtifact(content, { name, mime });
  await record.append("artifact.stored", { id: artifact_id, name, mime, size: content.length });
  return { artifact_id, artifact_type, name, mime_type: mime, size_bytes: content.length };
}

/** What was not granted is not asked for. What was not done is on record, and a warning. */
async function takeAction(
  { record, snapshot }: Pick<ApiContext, "record" | "snapshot">,
  { action, target = null, payload = null }: ResultPayload<"action.requested">,
  requestAction: Effects["requestAction"],
  warn: (text: string) => Promise<void>,
): Promise<void> {
  await record.append("action.requested", { action, target, payload });
  const settle = async ({ status, runId, message }: ActionOutcome) => {
    await record.append("action.settled", { action, status, actionRunId: runId, message });
    if (status !== "done") await warn(`The action ${action} was not carried out: ${message}.`);
  };
  // The run may have ended by then, and takes no more events: the action's own run has it on record.
  const onSettled = (outcome: ActionOutcome) => settle(outcome).catch(() => {});
  await settle(
    matchName(snapshot.actions, action)
      ? await requestAction({ action, target, payload, onSettled })
      : { status: "refused", runId: null, message: "the agent does not grant it" },
  );
}
