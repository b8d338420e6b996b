import type { PermissionRequest } from "@drydock/protocol";
import { cutText } from "../text/index.ts";

const TITLE_CHARS = 200;
const WORDS_CHARS = 1000;
const MAX_PATHS = 20;

/** What is asked for, cut to what a person reads. Agents fill in what they like. */
export function describePermission(params: unknown): PermissionRequest {
  const { title, kind, locations, content, rawInput } = Object(Object(params).toolCall);
  const { command, url } = Object(rawInput);
  const paths = [locations, content]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((each) => Object(each).path);
  return {
    title: cutText(toText(title) ?? "a call without a name", TITLE_CHARS),
    kind: cutText(toText(kind) ?? "other", TITLE_CHARS),
    paths: [...new Set(paths.filter((path) => typeof path === "string"))]
      .slice(0, MAX_PATHS)
      .map((path) => cutText(path, TITLE_CHARS)),
    command: shorten(Array.isArray(command) ? command.join(" ") : command),
    url: shorten(url),
  };
}

/**
 * The answer to a request for permission, by one of its own options. What would last longer than this one call is never
 * allowed: where the agent offers nothing else, it is denied.
 */
export function answerPermission(params: unknown, isAllowed: boolean): { outcome: object; isAllowed: boolean } {
  const { options } = Object(params);
  const offered: { kind?: unknown; optionId?: unknown }[] = Array.isArray(options) ? options.map(Object) : [];
  const find = (wanted: string) =>
    offered.find(({ kind, optionId }) => kind === wanted && typeof optionId === "string");
  const allowing = isAllowed ? find("allow_once") : undefined;
  const chosen = allowing ?? find("reject_once") ?? find("reject_always");
  const outcome = chosen ? { outcome: "selected", optionId: chosen.optionId } : { outcome: "cancelled" };
  return { outcome, isAllowed: allowing !== undefined };
}

function toText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function shorten(value: unknown): string | null {
  const text = toText(value);
  return text === null ? null : cutText(text, WORDS_CHARS);
}
