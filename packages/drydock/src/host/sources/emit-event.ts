import { hash } from "node:crypto";
import type { HostEventInput, HostStep, SendResult } from "@drydock/protocol";
import type { StoredSource } from "../../ledger/index.ts";
import type { EmittedEvent, SourceDelivery, SourceEvent, SourceType } from "./adapter.ts";
import type { AnswerStream } from "./answer-stream.ts";
import type { SourcePorts } from "./ports.ts";
import type { SourceTally } from "./source-tally.ts";

const MAX_ID_CHARS = 255;

export interface EmitRequest {
  ports: Pick<SourcePorts, "send" | "findAgent" | "warnings">;
  stored: StoredSource;
  type: SourceType;
  tally: Pick<SourceTally, "countEvent" | "countOutcome">;
  /** Ends the runs of events. */
  stopping: AbortSignal;
  /** The run's answer is shown from now on, until the stream is closed. */
  openStream(runId: string, target: Record<string, unknown>): AnswerStream | null;
  /** For what the host itself has to say. */
  deliver(delivery: Pick<SourceDelivery, "target" | "text" | "runId">): Promise<void>;
  showWork(target: Record<string, unknown>): void;
}

/** Hands an event of a source to the host, and sees to its answer until its run has ended. */
export async function emitEvent(request: EmitRequest, event: SourceEvent): Promise<EmittedEvent> {
  const { ports, tally, stopping } = request;
  const { target } = event;
  const recorded = Promise.withResolvers<{ eventId: string; kind: EmittedEvent["kind"] }>();
  let stream: AnswerStream | null = null;
  let agent: string | null = null;
  const onStep = ({ type, eventId, data }: HostStep) => {
    if (type === "event.received") {
      tally.countEvent();
      recorded.resolve({ eventId, kind: "accepted" });
    }
    if (type === "run.started") agent = String(data.agent);
  };
  const sent = ports.send(toHostEvent(request, event), {
    ...{ files: event.files ?? [], signal: stopping, onStep },
    onStarted(runId) {
      if (!target) return;
      stream = request.openStream(runId, target);
      request.showWork(target);
    },
    onDelta: (text) => stream?.write(text),
  });
  const done = sent
    .then(async (result) => {
      await stream?.close();
      tally.countOutcome(describeOutcome(result));
      recorded.resolve({ eventId: result.eventId, kind: result.kind === "duplicate" ? "duplicate" : "accepted" });
      if (target && event.type === "message.received") await sayFailure(request, { target, result, agent });
      return result;
    })
    .catch(async (error: Error) => {
      await stream?.close();
      recorded.reject(error);
      const text = `An event of the source ${request.stored.source.name} could not be handled: ${error.message}`;
      ports.warnings.note({ kind: "fault", source: request.stored.source.name, text });
      tally.countOutcome("failed");
      return null;
    });
  return { ...(await recorded.promise), done };
}

function toHostEvent(
  { stored, type }: Pick<EmitRequest, "stored" | "type">,
  { id, conversation, text, files: _files, target, ...event }: SourceEvent,
): HostEventInput {
  const { name } = stored.source;
  const { answers } = type;
  // A source that is made anew under the same name, for another bot, has ids of its own.
  const sourceId = `${stored.id} ${id}`;
  const isEdited = answers !== null && answers.editEveryMs !== null;
  const isStreamed = isEdited || answers?.isFollowed === true;
  return {
    ...event,
    source: type.eventSource,
    source_event_id: sourceId.length <= MAX_ID_CHARS ? sourceId : `${stored.id} ${hash("sha256", id)}`,
    conversation: { ...conversation, bot_id: name },
    ...(text !== undefined && { input: { text } }),
    delivery: {
      ...{ surface: type.type, supports_streaming: isStreamed, supports_edit: isEdited },
      max_message_size: answers?.maxMessageChars ?? null,
      reply_target: target ? { ...target, source: name } : null,
    },
  };
}

function describeOutcome(result: SendResult): string {
  return result.kind === "answered" && !result.ok ? "failed" : result.kind;
}

/** Whoever wrote a message is not left without a word. What went wrong is on record, and not for strangers. */
async function sayFailure(
  { ports, deliver }: EmitRequest,
  { target, result, agent }: { target: Record<string, unknown>; result: SendResult; agent: string | null },
): Promise<void> {
  if (result.kind !== "answered" || result.ok || result.error?.code === "run.cancelled" || agent === null) return;
  const known = await ports.findAgent(agent);
  if (!known?.delivery.reply) return;
  const { runId } = result;
  await deliver({ target, runId, text: `This could not be answered. The reference is ${runId}.` }).catch(() => {});
}
