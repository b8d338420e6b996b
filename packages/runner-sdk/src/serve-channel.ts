import { explainIssues } from "@drydock/protocol";
import { PLUGIN_NOTIFICATIONS, PLUGIN_REQUESTS, RUNNER_PROTOCOL_VERSIONS } from "@drydock/protocol/runner";
import { createRuns } from "./create-runs.ts";
import { describeRunner } from "./describe-runner.ts";
import { invalidParams, openPeer } from "./open-peer.ts";
import type { Plugin } from "./runner.ts";

/** A connection to a host. Each line is one message; null stands for one that was too long. */
export interface HostChannel {
  lines: AsyncIterable<string | null>;
  send(line: string): void;
  warn(text: string): void;
}

/*
 * connected ──initialize──► serving ──► closed     by `shutdown`, or by the end of the lines
 *
 * Any number of runs is served at once.
 */
export async function serveChannel(plugin: Plugin, { lines, send, warn }: HostChannel): Promise<void> {
  const served = plugin.runners.map((runner) => ({ runner, discovery: describeRunner(plugin, runner) }));
  const names = served.map(({ discovery }) => discovery.runner_name);
  if (new Set(names).size < names.length) throw new TypeError(`Two runners have one name: ${names.join(", ")}.`);

  const peer = openPeer(send, warn);
  const runs = createRuns(peer, warn);
  const closing = Promise.withResolvers<void>();
  let isInitialized = false;

  peer.answer("initialize", (params) => {
    const { protocol_versions } = read("initialize", PLUGIN_REQUESTS.initialize.params, params);
    const version = RUNNER_PROTOCOL_VERSIONS.find((each) => protocol_versions.includes(each));
    if (!version) throw invalidParams(`This plugin speaks version ${RUNNER_PROTOCOL_VERSIONS.join(" or ")} only.`);
    isInitialized = true;
    return { protocol_version: version, runners: served.map(({ discovery }) => discovery) };
  });
  peer.answer("runner.run", async (params) => {
    if (!isInitialized) throw invalidParams("`initialize` comes first.");
    const request = read("runner.run", PLUGIN_REQUESTS["runner.run"].params, params);
    const { runner_id, runner_name, channel, context } = request;
    const found = served.find(({ discovery }) => discovery.runner_name === runner_name);
    if (found?.discovery.manifest.id !== runner_id) throw invalidParams(`There is no runner ${runner_id} here.`);
    if (runs.has(channel)) throw invalidParams(`The channel ${channel} has a run already.`);
    await runs.start(found.runner, channel, context);
    return {};
  });
  peer.answer("run.cancel", (params) => {
    const { channel, reason } = read("run.cancel", PLUGIN_NOTIFICATIONS["run.cancel"], params);
    runs.cancel(channel, reason);
  });
  peer.answer("llm.chunk", (params) => {
    const { stream_id, chunk } = read("llm.chunk", PLUGIN_NOTIFICATIONS["llm.chunk"], params);
    runs.takeChunk(stream_id, chunk);
  });
  peer.answer("ping", () => ({}));
  peer.answer("shutdown", async () => {
    await runs.cancelAll("the host shuts this plugin down");
    // The answer is sent first.
    setImmediate(closing.resolve);
    return {};
  });

  const readAll = async () => {
    for await (const line of lines) void peer.receive(line);
  };
  await Promise.race([readAll(), closing.promise]);
  await runs.cancelAll("the host has closed the channel");
  peer.close();
}

interface Schema<Value> {
  safeParse(
    value: unknown,
  ): { success: true; data: Value } | { success: false; error: { issues: Parameters<typeof explainIssues>[0] } };
}

function read<Value>(name: string, schema: Schema<Value>, params: unknown): Value {
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  throw invalidParams(`${name}: ${explainIssues(result.error.issues, "params").join("; ")}`);
}
