import { explainIssues } from "@drydock/protocol";
import {
  type AvailableApis,
  RUNNER_LIMITS,
  RunContext,
  type RunContextInput,
  type RunnerManifest,
} from "@drydock/protocol/runner";

type Identity = "run_id" | "trigger" | "event" | "conversation" | "actor" | "subject" | "delivery";

/** What a test says about a run. Everything else is that of a person who wrote a message in a web chat. */
export interface ContextOptions
  extends Partial<Pick<RunContextInput, Identity | "runtime" | "config" | "adapter" | "metadata">> {
  /** The text of the message, or all of the input. */
  input?: string | RunContextInput["input"];
  /** What the run may use. A resource without `operations` has all that the manifest asks for. */
  resources?: RunContextInput["resources"];
  /** Values that earlier runs have left. */
  state?: RunContextInput["state"];
}

/** A context as a host would send it. Throws where a test gives something that no host sends. */
export function makeContext(manifest: RunnerManifest, options: ContextOptions, apis: AvailableApis): RunContext {
  const { input = "", resources = {}, state = {}, ...rest } = options;
  const now = Date.now() / 1000;
  const runId = options.run_id ?? "run_test";
  const context: RunContextInput = {
    run_id: runId,
    trigger: { type: "message", source: "webui", timestamp: now },
    event: { event_id: "event_test", event_type: "message.received", event_time: now, source: "webui", data: {} },
    conversation: { conversation_id: "conversation_test", bot_id: "bot_test", workspace_id: "workspace_test" },
    actor: { actor_type: "user", actor_id: "user_test", actor_name: "Test" },
    delivery: { surface: "webui", supports_streaming: true },
    ...rest,
    input: typeof input === "string" ? { text: input, contents: [{ type: "text", text: input }] } : input,
    resources: grantOperations(manifest, resources),
    state,
    context: { inline_policy: { mode: "current_event", delivered_count: 1 }, available_apis: apis },
    runtime: { version: "test", trace_id: runId, deadline_at: now + RUNNER_LIMITS.runSeconds, ...rest.runtime },
  };
  const { data, error } = RunContext.safeParse(context);
  if (error)
    throw new TypeError(`The test's context is not valid: ${explainIssues(error.issues, "context").join("; ")}.`);
  return data;
}

function grantOperations(
  { permissions }: RunnerManifest,
  resources: RunContextInput["resources"],
): RunContextInput["resources"] {
  const grant = <Item extends object>(items: Item[] | undefined, operations: readonly string[]) =>
    items?.map((item) => ({ operations: [...operations], ...item }));
  return {
    ...resources,
    models: grant(resources.models, permissions.models),
    tools: grant(resources.tools, permissions.tools),
    knowledge_bases: grant(resources.knowledge_bases, permissions.knowledge_bases),
    files: grant(resources.files, permissions.files),
  };
}
