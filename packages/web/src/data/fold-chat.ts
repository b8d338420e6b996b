import { type ArtifactRef, type ErrorInfo, ErrorInfo as ErrorShape, type FeedEvent } from "@drydock/protocol";

/** How an event was taken. `queued`: it waits for the run before it; `absorbed`: the run under way got it. */
export type Taken = "received" | "queued" | "absorbed" | "run" | "unbound" | "discarded";

export type ChatFile = ArtifactRef;

/** What a run said or did, in order. */
export type ChatPart =
  | { kind: "text"; text: string; isDone: boolean; files: readonly ChatFile[] }
  | {
      kind: "tool";
      id: string;
      name: string;
      parameters: unknown;
      result: unknown;
      error: string | null;
      isDone: boolean;
    };

/** An event of a conversation, and what came of it. */
export interface ChatTurn {
  eventId: string;
  at: string;
  type: string;
  text: string;
  taken: Taken;
  agent: string | null;
  runId: string | null;
  parts: readonly ChatPart[];
  /** Null while its run is under way. */
  end: { ok: boolean; error: ErrorInfo | null } | null;
}

/** The turns with one more event of the feed. Events of a turn whose beginning is not kept any more change nothing. */
export function foldChat(turns: readonly ChatTurn[], event: FeedEvent): readonly ChatTurn[] {
  const { type, eventId, runId, at, data } = event;
  if (type === "feed.reset") return [];
  if (type === "event.received") {
    if (turns.some((turn) => turn.eventId === eventId)) return turns;
    const fresh: ChatTurn = {
      ...{ eventId, at, type: textOf(data.type), text: textOf(data.text), taken: "received" },
      ...{ agent: null, runId: null, parts: [], end: null },
    };
    return [...turns, fresh];
  }
  return turns.map((turn) => (turn.eventId === eventId ? { ...turn, ...changeOf(turn, { type, runId, data }) } : turn));
}

function changeOf(
  turn: ChatTurn,
  { type, runId, data }: Pick<FeedEvent, "type" | "runId" | "data">,
): Partial<ChatTurn> {
  const { parts } = turn;
  switch (type) {
    case "event.queued":
      return { taken: "queued" };
    case "event.absorbed":
      return { taken: "absorbed", runId };
    case "run.started":
      return { taken: "run", runId, agent: textOf(data.agent) };
    case "message.delta":
      return { parts: addDelta(parts, textOf(data.text)) };
    case "message.completed":
      return { parts: completeText(parts, textOf(data.text), readFiles(data.artifacts)) };
    case "tool.call.started":
      return { parts: [...closeText(parts), startTool(data)] };
    case "tool.call.completed":
      return { parts: completeTool(parts, data) };
    case "run.ended":
      return { runId, parts: closeText(parts), end: { ok: data.ok === true, error: readError(data.error) } };
    case "event.received":
    case "feed.reset":
      return {};
    default:
      return type satisfies never;
  }
}

function addDelta(parts: readonly ChatPart[], text: string): readonly ChatPart[] {
  const last = parts.at(-1);
  if (last?.kind !== "text" || last.isDone) return [...parts, { kind: "text", text, isDone: false, files: [] }];
  return [...parts.slice(0, -1), { ...last, text: last.text + text }];
}

/** The message as it is on record takes the place of what was streamed of it. */
function completeText(parts: readonly ChatPart[], text: string, files: readonly ChatFile[]): readonly ChatPart[] {
  const last = parts.at(-1);
  const rest = last?.kind === "text" && !last.isDone ? parts.slice(0, -1) : parts;
  const shown = new Set(rest.flatMap((part) => (part.kind === "text" ? part.files : [])).map(({ id }) => id));
  return [...rest, { kind: "text", text, isDone: true, files: files.filter(({ id }) => !shown.has(id)) }];
}

function closeText(parts: readonly ChatPart[]): readonly ChatPart[] {
  const last = parts.at(-1);
  return last?.kind === "text" && !last.isDone ? [...parts.slice(0, -1), { ...last, isDone: true }] : parts;
}

function startTool(data: FeedEvent["data"]): ChatPart {
  const { tool_call_id, tool_name, parameters } = data;
  return {
    ...{ kind: "tool", id: textOf(tool_call_id), name: textOf(tool_name), parameters },
    ...{ result: undefined, error: null, isDone: false },
  };
}

function completeTool(parts: readonly ChatPart[], data: FeedEvent["data"]): readonly ChatPart[] {
  const id = textOf(data.tool_call_id);
  const error = typeof data.error === "string" ? data.error : null;
  const isKnown = parts.some((part) => part.kind === "tool" && part.id === id && !part.isDone);
  const all = isKnown ? parts : [...parts, startTool(data)];
  return all.map((part) =>
    part.kind === "tool" && part.id === id && !part.isDone
      ? { ...part, result: data.result, error, isDone: true }
      : part,
  );
}

/** Files as results and transcripts name them. */
export function readFiles(value: unknown): ChatFile[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown) => {
    const { artifact_id, name, mime_type, size_bytes, sha256 } = Object(each) as Record<string, unknown>;
    if (typeof artifact_id !== "string") return [];
    return [
      {
        id: artifact_id,
        name: textOf(name),
        mime: textOf(mime_type),
        size: Number(size_bytes ?? 0),
        sha256: textOf(sha256),
      },
    ];
  });
}

function readError(value: unknown): ErrorInfo | null {
  const { data } = ErrorShape.safeParse(value);
  return data ?? null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
