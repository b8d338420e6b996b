import type { HostEvent } from "@drydock/protocol";
import type { Message } from "@drydock/protocol/runner";
import {
  ApiError,
  type HostMethod,
  type HostParams,
  type HostResult,
  ownHostParams,
  RUNNER_LIMITS,
} from "@drydock/protocol/runner";
import { isTooDeep, MAX_LEVELS } from "../../base/json-schema/index.ts";
import type { HostStore } from "../../ledger/index.ts";
import type { KnowledgeAccess, ModelHelp, ModelQuestion, RunRecord, RunTools, TokenUsage } from "../ports.ts";
import { MOST_EVENTS } from "../runs/fold-events.ts";
import type { OpenCommands } from "../runs/open-commands.ts";
import type { SteeringQueue } from "../runs/steering-queue.ts";
import { artifactHandlers } from "./artifact-api.ts";
import { createMeter } from "./create-meter.ts";
import { createTally, ONE_BY_ONE } from "./create-tally.ts";
import { fileHandlers } from "./file-api.ts";
import { type HarnessAccess, harnessHandlers } from "./harness-api.ts";
import { historyHandlers } from "./history-api.ts";
import { createCallKeeper } from "./keep-call.ts";
import { knowledgeHandlers } from "./knowledge-api.ts";
import { modelHandlers } from "./model-api.ts";
import type { AccessSnapshot } from "./snapshot.ts";
import { storageHandlers } from "./storage-api.ts";
import { toApiError } from "./to-api-error.ts";
import { toolHandlers } from "./tool-api.ts";

/** What the calls of one run work with. */
export interface ApiContext {
  snapshot: AccessSnapshot;
  event: HostEvent;
  /** Key of the conversation; null where the event belongs to none. */
  conversation: string | null;
  record: RunRecord;
  facts: HostStore;
  steering: SteeringQueue;
  tools: RunTools;
  commands: OpenCommands;
  harness: HarnessAccess;
  version: string;
  signal: AbortSignal;
  askModel(question: ModelQuestion): Promise<{ message: Message; usage: TokenUsage | null }>;
  onChunk(streamId: string, text: string): void;
  modelHelp: ModelHelp;
  knowledge: KnowledgeAccess;
}

/** How a call reached the host, where it was not over the runner's channel. */
export interface CallOrigin {
  via: "gateway";
  /** The name that it has there, where that is another. */
  as?: string;
}

/** A call of the host API by its name. It rejects with an `ApiError`. */
export type CallHost = (method: string, params: Record<string, unknown>, origin?: CallOrigin) => Promise<unknown>;

export type Handler<Method extends HostMethod> = (params: HostParams<Method>) => Promise<HostResult<Method>>;
export type Handlers = { readonly [Method in HostMethod]?: Handler<Method> };

/** A run may make so many calls in a second; a runner that loops must not take the host's time. */
const CALLS_PER_SECOND = 200;
/** What is said between a runner and its agent: the agent's own run has it on record. */
const TALK: readonly string[] = ["harness_send", "harness_read"] satisfies HostMethod[];

/**
 * The host API for one run. Each call is checked against the snapshot that was taken when the run started, carried out, and
 * recorded with its result. What the snapshot does not grant has no handler.
 */
export function createApi(context: ApiContext): CallHost {
  const handlers: Handlers = {
    ...historyHandlers(context),
    ...storageHandlers(context),
    ...modelHandlers(context),
    ...artifactHandlers(context),
    ...toolHandlers(context),
    get_prompt: async () => ({ messages: context.snapshot.prompt }),
    ...knowledgeHandlers(context),
    ...fileHandlers(context),
    ...harnessHandlers(context),
    get_host_version: async () => ({ version: context.version }),
  };
  const takeTurn = createMeter(CALLS_PER_SECOND);
  const countLimited = createTally();
  const keepCall = createCallKeeper(context.record);
  let noted = 0;
  return async (method, params, origin) => {
    const name = method as HostMethod;
    const via = origin && { via: origin.via };
    const { record } = context;
    const isDeep = isTooDeep(params);
    const facts = { method: origin?.as ?? method, resource: nameResource(params), ...via };
    const note = async (outcome: { ok: boolean; code?: string }, result: unknown) => {
      const count = outcome.code === "rate_limited" ? countLimited() : 0;
      if (count === null) return;
      // Calls that are only counted are not kept.
      const isKept = ++noted <= MOST_EVENTS && count <= ONE_BY_ONE;
      const kept = isKept ? await keepCall(isDeep ? {} : params, result) : { ...(count > 0 && { count }) };
      await record.append("host.called", { ...facts, ...outcome, ...kept });
    };
    try {
      if (context.signal.aborted) throw new ApiError("deadline_exceeded", "The run is over, or was cancelled.");
      if (!takeTurn()) throw new ApiError("rate_limited", "The run makes too many calls.", { retryable: true });
      const handler = handlers[name] as Handler<HostMethod> | undefined;
      if (!handler) throw new ApiError("unauthorized", `This run may not call ${method}.`);
      if (isDeep) throw new ApiError("invalid_argument", `The params are nested more than ${MAX_LEVELS} levels deep.`);
      const read = ownHostParams(name).safeParse(params);
      if (!read.success) throw invalidParams(method, read.error.issues[0]);
      const result = await handler(read.data as HostParams<HostMethod>);
      if (!TALK.includes(method)) await note({ ok: true }, result);
      return result;
    } catch (error) {
      const known = toApiError(method, error);
      // A run that has ended takes no more events; its calls are refused all the same.
      await note({ ok: false, code: known.info.code }, known.info).catch(() => {});
      throw known;
    }
  };
}

function nameResource(params: Record<string, unknown>): string | null {
  const { model_id, tool_name, kb_id, artifact_id, file_key, scope, key } = params;
  const place = typeof scope === "string" ? `${scope}/${typeof key === "string" ? key : ""}` : key;
  const named = model_id ?? tool_name ?? kb_id ?? artifact_id ?? file_key ?? place;
  return typeof named === "string" ? named.slice(0, RUNNER_LIMITS.stateKeyChars) : null;
}

function invalidParams(method: string, issue: { path: PropertyKey[]; message: string } | undefined): ApiError {
  const where = issue?.path.join(".") || "params";
  return new ApiError("invalid_argument", `${method}: ${where}: ${issue?.message}`, { details: { field: where } });
}
