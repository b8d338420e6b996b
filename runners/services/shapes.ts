import type { Settings } from "./service.ts";

type Json = Record<string, unknown>;

/** Answers of services are looked at from outside: what is no object has no members. */
export function toObject(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A count of tokens; undefined where the service does not say. */
export function toCount(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}

/** Usage where at least one of both numbers is known. */
export function toUsage(input: unknown, output: unknown) {
  const [input_tokens, output_tokens] = [toCount(input), toCount(output)];
  return input_tokens === undefined && output_tokens === undefined ? {} : { usage: { input_tokens, output_tokens } };
}

export function bearer(settings: Settings): Record<string, string> {
  const key = settings.text("api-key");
  return key === "" ? {} : { authorization: `Bearer ${key}` };
}
