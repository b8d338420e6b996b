import { parentPort } from "node:worker_threads";
import type { ApartAnswer, ApartReply, ApartRequest } from "./apart-messages.ts";
import { matchText } from "./match-text.ts";

/** A thread that only matches patterns starts sooner without them. */
const loadSchemas = () => import("../../../base/json-schema/index.ts");

/** Answers one request after the other, and is ended by whoever asked, in case one takes too long. */
async function answer(request: ApartRequest): Promise<ApartAnswer> {
  if (request.kind === "match") return matchText(request);
  const { validateJson } = await loadSchemas();
  return validateJson(request);
}

/** Errors are cut short somewhere inside the library: who can say what it is left with. */
async function isReusable(request: ApartRequest, { kind }: ApartAnswer): Promise<boolean> {
  if (kind === "bad_schema" || kind === "invalid") return false;
  if (request.kind === "match" || kind === "no_json") return true;
  const { isPlainAddress, isPlainSchema } = await loadSchemas();
  const { schema, resources = {} } = request;
  const texts = [schema, ...Object.values(resources)];
  return Object.keys(resources).every(isPlainAddress) && texts.every((text) => isPlainSchema(JSON.parse(text)));
}

// What a schema refers to is never fetched, by whatever way the library might.
globalThis.fetch = () => Promise.reject(new Error("nothing is fetched for a check"));

parentPort?.on("message", async (request: ApartRequest) => {
  const given = await answer(request);
  const reply: ApartReply = { answer: given, isReusable: await isReusable(request, given) };
  parentPort?.postMessage(reply);
});
