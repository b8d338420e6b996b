import type { ConversationMessage, EventInfo, FeedEvent } from "@drydock/protocol";
import type { ChatFile, Said } from "./page/frames.ts";

/** What a visitor is told of a conversation: what was said, and nothing of how an agent came to it. */
export interface Sayings {
  /** Begins with what is on record. */
  begin(messages: readonly ConversationMessage[], events: readonly EventInfo[]): Said[];
  /** What is being said, from the part of the feed that was before. */
  catchUp(events: readonly FeedEvent[]): object[];
  /** What becomes of the next event. What the record had already is not said again. */
  read(event: FeedEvent): object[];
  /** The run under way. */
  running(): string | null;
}

export function createSayings(): Sayings {
  let told = new Set<string>();
  const shown = new Set<string>();
  let running: string | null = null;
  const keyOf = ({ from, event, text }: Said) => JSON.stringify([from, event, text]);

  /** A run names all of its artifacts with each message: each is shown once. */
  const freshFiles = (artifacts: unknown): ChatFile[] =>
    readFiles(artifacts).filter(({ id }) => !shown.has(id) && shown.add(id));
  const read = (step: FeedEvent): object[] => {
    const { type, eventId, runId: run, data } = step;
    switch (type) {
      case "event.received": {
        if (data.type !== "message.received") return [];
        const saying: Said = { from: "visitor", event: eventId, text: String(data.text ?? ""), files: [] };
        return told.has(keyOf(saying)) ? [] : [{ type: "message", ...saying }];
      }
      case "run.started":
        running = run;
        return [{ type: "working", run }];
      case "message.delta":
        return [{ type: "delta", run, text: data.text }];
      case "message.completed": {
        const saying: Said = { from: "agent", event: eventId, text: String(data.text ?? ""), files: [] };
        if (told.has(keyOf(saying))) return [];
        return [{ type: "message", ...saying, files: freshFiles(data.artifacts) }];
      }
      case "run.ended":
        running = null;
        return [{ type: "ended", run, ok: data.ok === true }];
      default:
        return [];
    }
  };
  return {
    begin(messages, events) {
      told = new Set();
      shown.clear();
      const files = new Map(events.map(({ id, event }) => [id, readSentFiles(event.input)]));
      return messages
        .filter(({ role }) => role === "user" || role === "assistant")
        .map((message): Said => {
          const isOwn = message.role === "user";
          const saying: Said = {
            ...{ from: isOwn ? "visitor" : "agent", event: message.eventId, text: message.text },
            files: isOwn ? (files.get(message.eventId) ?? []) : freshFiles(message.artifacts),
          };
          told.add(keyOf(saying));
          return saying;
        });
    },
    catchUp(events) {
      const start = events.findLastIndex(({ type }) => type === "run.started");
      const last = events.slice(Math.max(0, start));
      if (start < 0 || last.some(({ type }) => type === "run.ended")) return [];
      const lastMessage = last.findLastIndex(({ type }) => type === "message.completed");
      const rest = last.slice(lastMessage + 1).filter(({ type }) => type === "message.delta");
      running = last[0]?.runId ?? null;
      const text = rest.map(({ data }) => String(data.text ?? "")).join("");
      return [{ type: "working", run: running }, ...(text === "" ? [] : [{ type: "delta", run: running, text }])];
    },
    read,
    running: () => running,
  };
}

function readFiles(artifacts: unknown): ChatFile[] {
  if (!Array.isArray(artifacts)) return [];
  return artifacts.map((artifact: Record<string, unknown>) => ({
    id: String(artifact.artifact_id),
    name: String(artifact.name ?? "file"),
    mime: String(artifact.mime_type ?? "application/octet-stream"),
    size: Number(artifact.size_bytes ?? 0),
  }));
}

/** What a visitor has sent: its name and size, no way to get it back. */
function readSentFiles(input: unknown): ChatFile[] {
  const { contents = [] } = Object(input) as { contents?: Record<string, unknown>[] };
  return contents
    .filter(({ content_redacted: isTaken }) => isTaken === true)
    .map(({ name, mime_type: mime, size_bytes: size }) => ({
      ...{ id: "", name: String(name ?? "file"), mime: String(mime), size: Number(size) },
    }));
}
