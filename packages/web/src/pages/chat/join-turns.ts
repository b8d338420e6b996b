import type { ConversationMessage, EventInfo } from "@drydock/protocol";
import { type ChatFile, type ChatTurn, readFiles, type Taken } from "../../data/fold-chat.ts";

/** Files that came with a message to the agent: what is on record of them. */
export type SentFile = Pick<ChatFile, "name" | "mime" | "size">;

export interface ShownTurn extends ChatTurn {
  sent: readonly SentFile[];
  /** Only the transcript knows it: steps are not kept any more, and how its run ended stands in the run. */
  isPast: boolean;
}

const TAKEN: Readonly<Record<EventInfo["outcome"], Taken>> = {
  ...{ received: "received", run: "run", steering: "absorbed", unbound: "unbound", discarded: "discarded" },
};

/** The transcript, oldest message first, and what the feed says of its newest events. An event of both is the feed's. */
export function joinTurns(
  messages: readonly ConversationMessage[],
  events: readonly EventInfo[],
  live: readonly ChatTurn[],
): ShownTurn[] {
  const infos = new Map(events.map((event) => [event.id, event]));
  const groups = Map.groupBy(messages, ({ eventId }) => eventId);
  const isLive = new Set(live.map(({ eventId }) => eventId));
  const past = [...groups].filter(([eventId]) => !isLive.has(eventId));
  return [
    ...past.map(([eventId, group]) => toPast(eventId, group, infos.get(eventId))),
    ...live.map((turn) => ({
      ...turn,
      sent: readSent(infos.get(turn.eventId)),
      isPast: false,
    })),
  ];
}

function toPast(eventId: string, group: readonly ConversationMessage[], info: EventInfo | undefined): ShownTurn {
  const said = group.find(({ role }) => role === "user");
  const replies = group.filter(({ role }) => role !== "user");
  const runId = info?.runId ?? replies[0]?.runId ?? null;
  return {
    ...{
      eventId,
      at: (said ?? group[0])?.createdAt ?? "",
      type: info?.type ?? "message.received",
      text: said?.text ?? "",
    },
    ...{ taken: info ? TAKEN[info.outcome] : "run", agent: null, runId, end: { ok: true, error: null } },
    parts: replies.map(({ text, artifacts }) => ({ kind: "text", text, isDone: true, files: readFiles(artifacts) })),
    sent: readSent(info),
    isPast: true,
  };
}

/** The parts of the event that are not its text. Their bytes are artifacts of its run. */
function readSent(info: EventInfo | undefined): SentFile[] {
  const { contents } = Object(info?.event.input) as { contents?: unknown };
  if (!Array.isArray(contents)) return [];
  return contents.flatMap((part: unknown) => {
    const { type, name, mime_type, size_bytes } = Object(part) as Record<string, unknown>;
    if (type !== "inline" && type !== "file") return [];
    return [{ name: String(name ?? ""), mime: String(mime_type ?? ""), size: Number(size_bytes ?? 0) }];
  });
}
