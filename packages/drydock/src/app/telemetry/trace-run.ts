import { hash } from "node:crypto";
import type { Run, RunEvent } from "@drydock/protocol";

/** A span as OTLP writes it in JSON. */
export interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: OtlpAttribute[];
  status: { code: number; message?: string };
}

interface OtlpAttribute {
  key: string;
  value: { stringValue: string } | { intValue: string } | { doubleValue: number } | { boolValue: boolean };
}

type Facts = Readonly<Record<string, string | number | boolean | null | undefined>>;

const INTERNAL = 1;
const CLIENT = 3;
const OK = 1;
const ERROR = 2;

/**
 * The trace of a run that has ended, from its record: one span for the run, and one below it for each call of a model, each
 * tool, each check and the sandbox. Only names, figures and codes are sent: no prompt, no code, no output and no path.
 *
 * @param ancestors The runs that it is a part of, the nearest first.
 */
export function traceRun(run: Run, events: readonly RunEvent[], ancestors: readonly string[]): OtlpSpan[] {
  const traceId = hash("sha256", `trace ${ancestors.at(-1) ?? run.id}`, "hex").slice(0, 32);
  const runSpan = spanIdOf(`run ${run.id}`);
  const [parent] = ancestors;
  const last = events.findLast(({ type }) => type.startsWith("run."));
  const root: OtlpSpan = {
    traceId,
    spanId: runSpan,
    ...(parent !== undefined && { parentSpanId: spanIdOf(`run ${parent}`) }),
    name: `drydock ${run.kind}`,
    kind: INTERNAL,
    startTimeUnixNano: nanoseconds(Date.parse(run.createdAt)),
    endTimeUnixNano: nanoseconds(Date.parse(last?.at ?? run.createdAt)),
    attributes: listAttributes({
      "drydock.run.id": run.id,
      "drydock.run.kind": run.kind,
      "drydock.run.status": run.status,
      "drydock.run.verdict": run.verdict,
      "drydock.tree.hash": run.treeHash,
    }),
    status: statusOf(run.errorCode ?? (run.status === "failed" ? "failed" : null)),
  };
  const askedAt = new Map<string, number>();
  const parts: OtlpSpan[] = [];
  for (const event of events) {
    const endMs = Date.parse(event.at);
    if (event.type === "model.asked") askedAt.set(String(event.data.key), endMs);
    const part = describePart(event);
    if (!part) continue;
    const tookMs = part.tookMs ?? endMs - (askedAt.get(String(event.data.key)) ?? endMs);
    parts.push({
      traceId,
      spanId: spanIdOf(`run ${run.id} ${event.seq}`),
      parentSpanId: runSpan,
      name: part.name,
      kind: part.kind ?? INTERNAL,
      startTimeUnixNano: nanoseconds(endMs - tookMs),
      endTimeUnixNano: nanoseconds(endMs),
      attributes: listAttributes(part.facts),
      status: statusOf(part.problem),
    });
  }
  return [root, ...parts];
}

interface Part {
  name: string;
  kind?: number;
  /** Undefined: since it was asked. */
  tookMs: number | undefined;
  facts: Facts;
  /** A code; null where nothing went wrong. */
  problem: string | null;
}

function describePart({ type, data }: RunEvent): Part | null {
  const task = textOf(data.task);
  switch (type) {
    case "model.answered":
    case "model.failed": {
      const model = textOf(data.model);
      const usage = Object(data.usage);
      const facts = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": model,
        "gen_ai.usage.input_tokens": usage.inputTokens,
        "gen_ai.usage.output_tokens": usage.outputTokens,
        "drydock.model.step": textOf(data.step),
        "drydock.task": task,
      };
      const problem = type === "model.failed" ? (textOf(Object(data.error).code) ?? "model.failed") : null;
      return { name: `chat ${model ?? "model"}`, kind: CLIENT, tookMs: numberOf(data.durationMs), facts, problem };
    }
    case "model.called": {
      const model = textOf(data.model);
      const purpose = textOf(data.purpose) ?? "call";
      const facts = {
        "gen_ai.operation.name": purpose === "embedding" ? "embeddings" : purpose,
        "gen_ai.request.model": model,
        "gen_ai.usage.input_tokens": Object(data.usage).inputTokens,
      };
      const problem = textOf(Object(data.error).code) ?? null;
      return {
        name: `${purpose} ${model ?? "model"}`,
        kind: CLIENT,
        tookMs: numberOf(data.durationMs),
        facts,
        problem,
      };
    }
    case "tool.finished": {
      const name = textOf(data.name) ?? textOf(data.tool) ?? "tool";
      const facts = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "drydock.task": task };
      const problem = data.failed === true || Object(data.error).code !== undefined ? "failed" : null;
      return { name: `tool ${name}`, tookMs: numberOf(data.durationMs) ?? 0, facts, problem };
    }
    case "check.finished": {
      const kind = textOf(Object(data.check).type) ?? textOf(data.type) ?? "check";
      const verdict = textOf(data.verdict);
      const code = textOf(data.code);
      const facts = {
        "drydock.check.type": kind,
        "drydock.check.verdict": verdict,
        "drydock.check.code": code,
        "drydock.check.proves": data.proves === true ? true : undefined,
        "drydock.task": task,
      };
      const hasPassed = verdict === "passed" || (verdict === undefined && code === "passed");
      return {
        name: `check ${kind}`,
        tookMs: numberOf(data.durationMs) ?? 0,
        facts,
        problem: hasPassed ? null : (code ?? "failed"),
      };
    }
    case "run.succeeded":
    case "run.failed":
    case "run.cancelled":
      return describeSandbox(data);
    default:
      return null;
  }
}

/** Null for runs that are no single execution. */
function describeSandbox(data: RunEvent["data"]): Part | null {
  const usage = Object(data.usage);
  const sandbox = Object(data.sandbox);
  const tookMs = numberOf(usage.wallMs);
  if (tookMs === undefined || textOf(sandbox.backend) === undefined) return null;
  const facts = {
    "drydock.sandbox.backend": textOf(sandbox.backend),
    "drydock.sandbox.level": textOf(sandbox.level),
    "drydock.usage.cpu_ms": numberOf(usage.cpuMs),
    "drydock.usage.peak_memory_bytes": numberOf(usage.peakMemoryBytes),
  };
  return { name: "sandbox", tookMs, facts, problem: textOf(Object(data.error).code) ?? null };
}

function statusOf(problem: string | null): OtlpSpan["status"] {
  return problem === null ? { code: OK } : { code: ERROR, message: problem };
}

function listAttributes(facts: Facts): OtlpAttribute[] {
  return Object.entries(facts).flatMap(([key, value]): OtlpAttribute[] => {
    if (typeof value === "string") return [{ key, value: { stringValue: value } }];
    if (typeof value === "boolean") return [{ key, value: { boolValue: value } }];
    if (typeof value !== "number") return [];
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
  });
}

function spanIdOf(name: string): string {
  return hash("sha256", name, "hex").slice(0, 16);
}

function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
