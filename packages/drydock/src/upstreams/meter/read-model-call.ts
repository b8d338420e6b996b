import type { UpstreamApi } from "@drydock/protocol";
import { estimateTokens } from "../../models/index.ts";
import { type OutputLimit, readOutputLimit } from "./output-limit.ts";

/** A request to a model, as far as a budget needs to know it. */
export interface ModelCall {
  model: string;
  /** The longest answer that it asks for, all of its alternatives together; undefined: it does not say. */
  maxOutputTokens: number | undefined;
  inputTokens: number;
  isStreamed: boolean;
  /** The answer comes at once and says nothing: the model works on after it. */
  isBackground: boolean;
  /** Whether the answer would not say how many tokens it took, unless it is asked to. */
  needsUsage: boolean;
  /** The body with these changes. */
  write(changes: { maxOutputTokens?: number; withUsage: boolean }): Buffer;
}

/** `free`: no request to a model, which is passed on as it is. `unreadable`: one whose tokens nobody could count. */
export type ReadCall = { kind: "call"; call: ModelCall } | { kind: "free" } | { kind: "unreadable" };

type Body = Record<string, unknown>;

const FREE = { kind: "free" } as const;
/** Ends of paths, without their encoding: whoever asks there asks a model. */
const ASKING: Readonly<Record<UpstreamApi, RegExp | null>> = {
  anthropic: /\/(?:messages|complete)$/,
  openai: /\/(?:chat\/completions|completions|responses|embeddings)$/,
  gemini: /:(?:generateContent|streamGenerateContent)$/,
  github: null,
  other: null,
};

/** `segments`: those of the path without their encoding, as the server reads them. */
export function readModelCall(
  api: UpstreamApi,
  segments: readonly string[],
  bytes: Buffer,
  encoding = "identity",
): ReadCall {
  const path = `/${segments.join("/")}`;
  const isAsking = ASKING[api]?.test(path) ?? false;
  const body = encoding === "identity" || encoding === "" ? parseObject(bytes) : null;
  if (!body) return isAsking ? { kind: "unreadable" } : FREE;
  if (!isAsking && (typeof body.model !== "string" || /\/count_tokens$/.test(path))) return FREE;
  const isChat = api === "openai" && /\/chat\/completions$/.test(path);
  const isStreamed = body.stream === true || /:streamGenerateContent$/.test(path);
  const limit = /\/embeddings$/.test(path) ? null : readOutputLimit(api, path, body);
  const call = {
    model: nameModel(api, path, body),
    maxOutputTokens: limit ? limit.tokens : 0,
    inputTokens: estimateInput(bytes),
    isStreamed,
    isBackground: body.background === true,
    needsUsage: isChat && isStreamed && Object(body.stream_options).include_usage !== true,
    write: (changes: Parameters<ModelCall["write"]>[0]) => writeBody(body, limit, changes),
  };
  return { kind: "call", call };
}

/** A server with one model may do without a name. */
function nameModel(api: UpstreamApi, path: string, { model }: Body): string {
  const named = api === "gemini" ? /\/([^/]+):[^:/]+$/.exec(path)?.[1] : model;
  return typeof named === "string" && named !== "" ? named : "unnamed";
}

function writeBody(body: Body, limit: OutputLimit | null, changes: Parameters<ModelCall["write"]>[0]): Buffer {
  const { maxOutputTokens, withUsage } = changes;
  const changed: Body = structuredClone(body);
  if (withUsage) changed.stream_options = { ...Object(changed.stream_options), include_usage: true };
  if (maxOutputTokens !== undefined) limit?.write(changed, maxOutputTokens);
  return Buffer.from(JSON.stringify(changed));
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

function parseObject(bytes: Buffer): Body | null {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Body) : null;
  } catch {
    return null;
  }
}
