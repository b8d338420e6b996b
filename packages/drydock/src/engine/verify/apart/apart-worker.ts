import { parentPort, workerData } from "node:worker_threads";
import type { ApartAnswer, ApartRequest } from "./apart-messages.ts";
import { matchText } from "./match-text.ts";

/** Started for one request, and ended by whoever asked, in case it takes too long. */
async function answer(request: ApartRequest): Promise<ApartAnswer> {
  if (request.kind === "match") return matchText(request);
  // What a schema refers to is never fetched, by whatever way the library might.
  globalThis.fetch = () => Promise.reject(new Error("nothing is fetched for a check"));
  const { validateJson } = await import("./validate-json.ts");
  return validateJson(request);
}

parentPort?.postMessage(await answer(workerData as ApartRequest));
