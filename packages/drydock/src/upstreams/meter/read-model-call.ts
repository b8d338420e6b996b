import type { UpstreamApi } from "@drydock/protocol";
import { estimateTokens } from "../../models/index.ts";

/** A request to a model, as far as a budget needs to know it. */
export interface ModelCall {
  model: string;
  /** The longest answer that it asks for; undefined: it does not say. */
  maxOutputTokens: number | undefined;
  inputTokens: number;
  isStreamed: boolean;
  /** Whether the answer would not say how many tokens it took, unless it is asked to. */
  needsUsage: boolean;
  /** The body with these changes. */
  write(changes: { maxOutputTokens?: number; withUsage: boolean }): Buffer;
}

type Body = Record<string, unknown>;

/** Null for what is no request to a model: it is passed on as it is, and costs nothing. */
export function readModelCall(api: UpstreamApi, path: string, bytes: Buffer): ModelCall | null {
  const body = parseObject(bytes);
  if (!body) return null;
  const geminiModel = /\/models\/([^/:]+):(?:streamG|g)enerateContent$/.exec(path)?.[1];
  const model = api === "gemini" ? geminiModel : body.model;
  if (typeof model !== "string" || model === "" || /\/count_tokens$/.test(path)) return null;
  const isStreamed = body.stream === true || /:streamGenerateContent$/.test(path);
  const isChat = api === "openai" && /\/chat\/completions$/.test(path);
  const hasOutput = !/\/embeddings$/.test(path);
  const asked = Object(body.stream_options).include_usage === true;
  const field = hasOutput ? nameLimit(api, path, body) : null;
  return {
    model,
    maxOutputTokens: hasOutput ? (field && readLimit(body, field)) || undefined : 0,
    inputTokens: estimateInput(bytes),
    isStreamed,
    needsUsage: isChat && isStreamed && !asked,
    write({ maxOutputTokens, withUsage }) {
      const changed: Body = structuredClone(body);
      if (withUsage) changed.stream_options = { ...Object(changed.stream_options), include_usage: true };
      if (maxOutputTokens !== undefined && field) writeLimit(changed, field, maxOutputTokens);
      return Buffer.from(JSON.stringify(changed));
    },
  };
}

/** Pictures and files stand in a body as long texts in base 64, and count by another measure than words. */
const ENCODED_FILE = /(?:"data"\s*:\s*"|"data:[^"]{0,200};base64,)[A-Za-z0-9+/_=-]{1024,}"/g;
const FILE_TOKENS = 1600;

function estimateInput(bytes: Buffer): number {
  let files = 0;
  const words = bytes.toString().replace(ENCODED_FILE, () => {
    files++;
    return "";
  });
  return estimateTokens(words.length) + files * FILE_TOKENS;
}

/** The field that bounds the answer, as a path. */
function nameLimit(api: UpstreamApi, path: string, body: Body): string[] {
  if (api === "gemini") return ["generationConfig", "maxOutputTokens"];
  if (api === "openai" && /\/responses$/.test(path)) return ["max_output_tokens"];
  if (api === "openai" && body.max_tokens === undefined) return ["max_completion_tokens"];
  return ["max_tokens"];
}

function readLimit(body: Body, field: readonly string[]): number | undefined {
  const value = field.reduce<unknown>((at, name) => Object(at)[name], body);
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
}

function writeLimit(body: Body, [first = "", second]: readonly string[], value: number): void {
  body[first] = second === undefined ? value : { ...Object(body[first]), [second]: value };
}

function parseObject(bytes: Buffer): Body | null {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Body) : null;
  } catch {
    return null;
  }
}
