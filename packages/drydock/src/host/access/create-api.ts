import type { HostEvent } from "@drydock/protocol";
import type { Message } from "@drydock/protocol/runner";
import {
  ApiError,
  type HostMethod,
  type HostParams,
  type HostResult,
  hostParams,
  RUNNER_LIMITS,
} from "@drydock/protocol/runner";
import type { HostStore } from "../../ledger/index.ts";
import type { KnowledgeAccess, ModelHelp, ModelQuestion, RunRecord, TokenUsage } from "../ports.ts";
import type { SteeringQueue } from "../runs/steering-queue.ts";
import { artifactHandlers } from "./artifact-api.ts";
import { fileHandlers } from "./file-api.ts";
import { historyHandlers } from "./history-api.ts";
import { knowledgeHandlers } from "./knowledge-api.ts";
import { modelHandlers } from "./model-api.ts";
import type { AccessSnapshot } from "./snapshot.ts";
import { storageHandlers } from "./storage-api.ts";

/** What the calls of one run work with. */
export interface ApiContext {
  snapshot: AccessSnapshot;
  event: HostEvent;
  /** Key of the conversation; null where the event belongs to none. */
  conversation: string | null;
  record: RunRecord;
  facts: HostStore;
  steering: SteeringQueue;
  version: string;
  signal: AbortSignal;
  askModel(question: ModelQuestion): Promise<{ message: Message; usage: TokenUsage | null }>;
  onChunk(streamId: string, text: string): void;
  modelHelp: ModelHelp;
  knowledge: KnowledgeAccess;
}

export type Handler<Method extends HostMethod> = (params: HostParams<Method>) => Promise<HostResult<Method>>;
export type Handlers = { readonly [Method in HostMethod]?: Handler<Method> };

/** A run may make so many calls in a second; a runner that loops must not take the host's time. */
const CALLS_PER_SECOND = 200;

/**
 * The host API for one run. Each call is checked against the snapshot that was taken when the run started, carried out, and
 * recorded with its result. What the snapshot does not grant has no handler.
 */
export function createApi(context: ApiContext): (method: string, params: Record<string, unknown>) => Promise<unknown> {
  const handlers: Handlers = {
    ...historyHandlers(context),
    ...storageHandlers(context),
    ...modelHandlers(context),
    ...artifactHandlers(context),
    ...knowledgeHandlers(context),
    ...fileHandlers(context),
    get_host_version: async () => ({ version: context.version }),
  };
  const takeTurn = createMeter(CALLS_PER_SECOND);
  return async (method, params) => {
    const name = method as HostMethod;
    try {
      if (context.signal.aborted) throw new ApiError("deadline_exceeded", "The run is over, or was cancelled.");
      if (!takeTurn()) throw new ApiError("rate_limited", "The run makes too many calls.", { retryable: true });
      const handler = handlers[name] as Handler<HostMethod> | undefined;
      if (!handler) throw new ApiError("unauthorized", `This run may not call ${method}.`);
      const read = hostParams(name).omit({ run_id: true }).safeParse(params);
      if (!read.success) throw invalidParams(method, read.error.issues[0]);
      const result = await handler(read.data as HostParams<HostMethod>);
      await context.record.append("host.called", { method, resource: nameResource(params), ok: true });
      return result;
    } catch (error) {
      const known = error instanceof ApiError ? error : new ApiError("runtime_error", messageOf(error));
      const data = { method, resource: nameResource(params), ok: false, code: known.info.code };
      // A run that has ended takes no more events; its calls are refused all the same.
      await context.record.append("host.called", data).catch(() => {});
      throw known;
    }
  };
}

function nameResource(params: Record<string, unknown>): string | null {
  const { model_id, tool_name, kb_id, artifact_id, file_key, scope, key } = params;
  const named =
    model_id ?? tool_name ?? kb_id ?? artifact_id ?? file_key ?? (scope === undefined ? key : `${scope}/${key ?? ""}`);
  return named === undefined ? null : String(named).slice(0, RUNNER_LIMITS.stateKeyChars);
}

function invalidParams(method: string, issue: { path: PropertyKey[]; message: string } | undefined): ApiError {
  const where = issue?.path.join(".") || "params";
  return new ApiError("invalid_argument", `${method}: ${where}: ${issue?.message}`, { details: { field: where } });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "The host could not do this.";
}

function createMeter(perSecond: number): () => boolean {
  let second = 0;
  let count = 0;
  return () => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) [second, count] = [now, 0];
    return ++count <= perSecond;
  };
}
