import type { RunEvent } from "@drydock/protocol";

/** Fields that say most about an event, the best first. */
const TELLING = [
  "reason",
  "summary",
  "message",
  "title",
  "name",
  "cmd",
  "path",
  "host",
  "url",
  "model",
  "status",
  "verdict",
];
const MOST_CHARS = 160;

/** One line about an event: whatever of it tells most. */
export function summarizeEvent({ data }: RunEvent): string {
  const error = Object(data.error) as { code?: unknown; message?: unknown };
  if (typeof error.message === "string") return `${String(error.code ?? "")} ${error.message}`.trim();
  const parts = [data.task, ...TELLING.map((field) => data[field])].filter(
    (value): value is string => typeof value === "string" && value !== "",
  );
  if (parts.length > 0) return parts.slice(0, 2).join(" · ").slice(0, MOST_CHARS);
  if (typeof data.stdout === "string") return data.stdout.trim().slice(0, MOST_CHARS);
  return "";
}
