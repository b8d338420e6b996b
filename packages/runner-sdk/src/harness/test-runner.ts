import {
  ApiError,
  type AvailableApis,
  HOST_GRANTS,
  type HostMethod,
  type RunnerManifest,
} from "@drydock/protocol/runner";
import { attendRun } from "../attend-run.ts";
import { describeRunner } from "../describe-runner.ts";
import { createHostApi } from "../host-api.ts";
import type { Runner, RunnerContext } from "../runner.ts";
import { type Collected, collectResults } from "./collect-results.ts";
import { createHostDouble, type HostAnswers } from "./host-double.ts";
import { type ContextOptions, makeContext } from "./make-context.ts";
import { createMemoryHost, type MemoryHost } from "./memory-host.ts";

export interface TestOptions extends ContextOptions {
  /** Answers of the host: `{ history_page: () => ({ … }) }`. State, storage and the version have answers already. */
  api?: HostAnswers;
  /** Cancels the run. */
  signal?: AbortSignal;
}

export interface TestedRun extends Pick<Collected, "results" | "end" | "text">, Pick<MemoryHost, "state" | "storage"> {
  /** What a host would complain about, and what the runner logged as a warning or an error. */
  warnings: string[];
}

/** Runs a runner in this process, without a host. */
export async function testRunner(runner: Runner, options: TestOptions = {}): Promise<TestedRun> {
  const { api: answers = {}, signal = new AbortController().signal, ...settings } = options;
  const { manifest } = describeRunner({ author: "test", name: "plugin" }, runner);
  const memory = createMemoryHost(settings.state ?? {});
  const context = makeContext(manifest, settings, listApis(manifest, settings, answers));
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const ctx: RunnerContext = {
    ...context,
    signal,
    log: (message, level = "info") => void (["warning", "error"].includes(level) && warn(message)),
  };
  const collected = collectResults({
    ...{ runId: context.run_id, warn },
    onState({ scope, key, value }) {
      try {
        memory.setState(scope, key, value);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        warn(`A state.updated was refused: ${error.message}`);
      }
    },
  });
  const port = createHostDouble(manifest, context, answers, memory, warn);
  const deadlineAt = context.runtime.deadline_at;
  const api = createHostApi({ runId: context.run_id, deadlineAt, signal, port });
  await attendRun(runner, ctx, api, { send: collected.take, warn });
  const { results, end, text } = collected;
  if (end === null && text === "") warn("The run ended without a message: a host that expects a reply fails it.");
  return { results, end, text, warnings, state: memory.state, storage: memory.storage };
}

/** What the manifest asks for, and the test has an answer for. */
function listApis(
  { permissions, capabilities }: RunnerManifest,
  settings: ContextOptions,
  answers: HostAnswers,
): AvailableApis {
  const { plugin_storage = false, workspace_storage = false } = settings.resources?.storage ?? {};
  const has = (method: HostMethod) => {
    const [kind, ...operations] = HOST_GRANTS[method].permission ?? [];
    const requested: readonly string[] = kind ? permissions[kind] : [];
    return answers[method] !== undefined && operations.some((operation) => requested.includes(operation));
  };
  return {
    history_page: has("history_page"),
    history_search: has("history_search"),
    event_get: has("event_get"),
    event_page: has("event_page"),
    artifact_metadata: has("artifact_metadata"),
    artifact_read: has("artifact_read") || has("artifact_read_range"),
    state: true,
    storage: plugin_storage || workspace_storage,
    steering_pull: capabilities.steering && answers.steering_pull !== undefined,
  };
}
