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
import { createStepParts, type OnePart } from "./step-parts.ts";

const UNKNOWN_TYPE = "application/octet-stream";

export interface Effects {
  context: StateAccess & Pick<ApiContext, "conversation">;
  eventId: string;
  delivery: Delivery;
  onDelta(text: string): void;
  onStep(type: HostStep["type"], data: HostStep["data"]): void;
  requestAction(request: EffectRequest): Promise<ActionOutcome>;
}

/**
 * Carries out what results ask for, one after the other, and remembers how the run ended. A step that failed can be applied
 * again: it goes on where it failed.
 */
export function createEffects(effects: Effects) {
  const { context, delivery, onDelta, onStep, requestAction } = effects;
  const { record } = context;
  const artifacts: Record<string, unknown>[] = [];
  const messages: Message[] = [];
  const warnings: string[] = [];
  const countWarnings = createTally();
  const partsOf = createStepParts();

  const warn = async (text: string) => {
    const count = countWarnings();
    if (count === null) return;
    const counted = `The run has ${count} warnings so far. Not all of them are on record.`;
    const noted = count > ONE_BY_ONE ? { text: counted, count } : { text };
    await record.append("runner.warned", noted);
    warnings.push(noted.text);
  };

  const outbox = createOutbox(delivery, artifacts);

  const apply = async (step: ResultStep): Promise<RunnerEnd | null> => {
    const onePart = partsOf(step);
    switch (step.kind) {
      case "delta":
        if (delivery.streams) onDelta(step.text);
        onStep("message.delta", { text: step.text });
        return null;
      case "message":
        await sendMessage(effects, step.message, { artifacts, messages, outbox, warn, onePart });
        return null;
      case "tool":
        await record.append("tool.reported", { type: step.type, ...step.data });
        onStep(step.type, step.data);
        return null;
      case "artifact": {
        const stored = await storeArtifact(record, step, { warn, onePart });
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
        await takeAction(context, step, { requestAction, warn, onePart });
        return null;
      case "warning":
        await warn(step.text);
        return null;
      case "end":
        await sendLeft(effects, { artifacts, outbox, warn, onePart });
        return step.end;
      default:
        return step satisfies never;
    }
  };
  return { apply, messages, warnings };
}

type Warn = (text: string) => Promise<void>;

/** Keeps a message, and delivers it in parts that its surface takes. */
async function sendMessage(
  { context: { record, facts, conversation }, eventId, delivery, onStep }: Effects,
  message: Message,
  {
    artifacts,
    messages,
    outbox,
    warn,
    onePart,
  }: {
    artifacts: Record<string, unknown>[];
    messages: Message[];
    outbox: Outbox;
    warn: Warn;
    onePart: OnePart;
  },
): Promise<void> {
  const kept = await onePart(async () => {
    const { message: redacted, stored } = await storeInline(record, message);
    artifacts.push(...stored);
    return redacted;
  });
  await onePart(() =>
    record.append("message.sent", {
      ...{ text: readText(kept), artifacts: [...artifacts] },
      ...(!delivery.replies && { delivered: false }),
    }),
  );
  await onePart(async () => {
    if (conversation !== null)
      await facts.transcript.add({ conversation, eventId, runId: record.id, message: kept, artifacts });
    onStep("message.completed", { text: readText(kept), message: kept, artifacts: [...artifacts] });
  });
  if (!delivery.replies) return;
  for (const part of splitMessage(kept, delivery.maxMessageChars)) {
    const problem = await onePart(() => {
      messages.push(part);
      return outbox.send(part);
    });
    if (problem) await onePart(() => warn(problem));
  }
}

type Outbox = ReturnType<typeof createOutbox>;

/** Artifacts of a run go with the first part of a message that is sent after they were made. */
function createOutbox(delivery: Delivery, artifacts: readonly Record<string, unknown>[]) {
  let sent = 0;
  return {
    isEmpty: () => artifacts.length === sent,
    send(message: Message): Promise<string | null> {
      const fresh = artifacts.slice(sent).map(({ artifact_id }) => String(artifact_id));
      sent = artifacts.length;
      return delivery.deliver(message, fresh);
    },
  };
}

/** What was made after the last message goes by itself. */
async function sendLeft(
  { delivery, onStep }: Pick<Effects, "delivery" | "onStep">,
  {
    artifacts,
    outbox,
    warn,
    onePart,
  }: { artifacts: Record<string, unknown>[] } & {
    outbox: Outbox;
    warn: Warn;
    onePart: OnePart;
  },
): Promise<void> {
  const problem = await onePart(async () => {
    if (!delivery.replies || outbox.isEmpty()) return null;
    const message: Message = { role: "assistant", content: "" };
    onStep("message.completed", { text: "", message, artifacts: [...artifacts] });
    return outbox.send(message);
  });
  if (problem) await onePart(() => warn(problem));
}

/** Null where it has no content. */
async function storeArtifact(
  record: ApiContext["record"],
  { facts, content }: Extract<ResultStep, { kind: "artifact" }>,
  { warn, onePart }: { warn: Warn; onePart: OnePart },
): Promise<Record<string, unknown> | null> {
  const { artifact_type, name = "artifact", mime_type = UNKNOWN_TYPE } = facts;
  if (content === null) {
    await onePart(() => warn("An artifact without content was ignored."));
    return null;
  }
  const mime = isMediaType(mime_type) ? mime_type : UNKNOWN_TYPE;
  if (mime !== mime_type) await onePart(() => warn(`The type of an artifact is not valid, and became ${mime}.`));
  const artifact_id = await onePart(() => record.storeArtifact(content, { name, mime }));
  await record.append("artifact.stored", { id: artifact_id, name, mime, size: content.length });
  return { artifact_id, artifact_type, name, mime_type: mime, size_bytes: content.length };
}

/** What was not granted is not asked for. What was not done is on record, and a warning. */
async function takeAction(
  { record, snapshot }: Pick<ApiContext, "record" | "snapshot">,
  { action, target = null, payload = null }: ResultPayload<"action.requested">,
  { requestAction, warn, onePart }: Pick<Effects, "requestAction"> & { warn: Warn; onePart: OnePart },
): Promise<void> {
  await onePart(() => record.append("action.requested", { action, target, payload }));
  const note = ({ status, runId, message }: ActionOutcome) =>
    record.append("action.settled", { action, status, actionRunId: runId, message });
  const complain = async ({ status, message }: ActionOutcome) => {
    if (status !== "done") await warn(`The action ${action} was not carried out: ${message}.`);
  };
  // The run may have ended by then, and takes no more events: the action's own run has it on record.
  const onSettled = (outcome: ActionOutcome) =>
    note(outcome)
      .then(() => complain(outcome))
      .catch(() => {});
  const outcome = await onePart(async () =>
    matchName(snapshot.actions, action)
      ? await requestAction({ action, target, payload, onSettled })
      : { status: "refused" as const, runId: null, message: "the agent does not grant it" },
  );
  await onePart(() => note(outcome));
  await onePart(() => complain(outcome));
}
