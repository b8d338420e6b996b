import type * as z from "zod";
import { ApiErrorInfo } from "../api-error.ts";
import { HOST_NOTIFICATIONS, PLUGIN_NOTIFICATIONS, PLUGIN_REQUESTS } from "../channel.ts";
import { CompactionCheckpoint } from "../compaction.ts";
import { ConfigField } from "../config-field.ts";
import { HOST_API, HOST_METHODS, hostParams } from "../host-api.ts";
import { RunnerDiscovery, RunnerId, RunnerManifest } from "../manifest.ts";
import { Message, MessageChunk } from "../message.ts";
import { PluginManifest } from "../plugin-manifest.ts";
import { RESULT_PAYLOADS, RunResult } from "../results.ts";
import { RunContext } from "../run-context.ts";

const SHAPES = {
  ...{ ApiErrorInfo, CompactionCheckpoint, ConfigField, Message, MessageChunk, PluginManifest },
  ...{ RunContext, RunResult, RunnerDiscovery, RunnerId, RunnerManifest },
};

/** Every message and payload of the protocol by the path of its fixtures: `host-call/history_page.params`. */
export function listSchemas(): Map<string, z.ZodType> {
  return new Map<string, z.ZodType>([
    ...Object.entries(PLUGIN_REQUESTS).flatMap(([method, { params, result }]): [string, z.ZodType][] => [
      [`plugin-request/${method}.params`, params],
      [`plugin-request/${method}.result`, result],
    ]),
    ...under("plugin-notification", PLUGIN_NOTIFICATIONS),
    ...under("host-notification", HOST_NOTIFICATIONS),
    ...HOST_METHODS.flatMap((method): [string, z.ZodType][] => [
      [`host-call/${method}.params`, hostParams(method)],
      [`host-call/${method}.result`, HOST_API[method].result],
    ]),
    ...under("result", RESULT_PAYLOADS),
    ...under("shape", SHAPES),
  ]);
}

function under(folder: string, schemas: Record<string, z.ZodType>): [string, z.ZodType][] {
  return Object.entries(schemas).map(([name, schema]) => [`${folder}/${name}`, schema]);
}
