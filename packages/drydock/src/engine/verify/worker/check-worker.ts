import { readlinkSync } from "node:fs";
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { matchText } from "./match-text.ts";
import type { WorkerAnswer, WorkerReply, WorkerRequest } from "./worker-messages.ts";

/** Loaded on first use: a thread that only matches patterns starts sooner without the library. */
const loadSchemas = () => import("../../../base/json-schema/index.ts");

/** Answers one request after the other. The caller ends the thread if one takes too long. */
async function answer(request: WorkerRequest): Promise<WorkerAnswer> {
  if (request.kind === "match") return matchText(request);
  const { validateJson } = await loadSchemas();
  return validateJson(request);
}

/** After an error the state of the library is unknown, so the thread is not used again. */
async function isReusable(request: WorkerRequest, { kind }: WorkerAnswer): Promise<boolean> {
  if (kind === "bad_schema" || kind === "invalid") return false;
  if (request.kind === "match" || kind === "no_json") return true;
  const { isPlainAddress, isPlainSchema } = await loadSchemas();
  const { schema, resources = {} } = request;
  const texts = [schema, ...Object.values(resources)];
  return Object.keys(resources).every(isPlainAddress) && texts.every((text) => isPlainSchema(JSON.parse(text)));
}

// Whoever waits looks at the processor time of this thread, by its number in the kernel.
if (workerData instanceof Int32Array) Atomics.store(workerData, 0, Number(basename(readlinkSync("/proc/thread-self"))));

// The library must never fetch what a schema refers to.
globalThis.fetch = () => Promise.reject(new Error("nothing is fetched for a check"));

parentPort?.on("message", async (request: WorkerRequest) => {
  const result = await answer(request);
  const reply: WorkerReply = { answer: result, isReusable: await isReusable(request, result) };
  parentPort?.postMessage(reply);
});
