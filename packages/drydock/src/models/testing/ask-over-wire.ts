import { DrydockError, type ProviderApi } from "@drydock/protocol";
import { createModel, type Model, type ModelOptions, type ModelRequest } from "../index.ts";
import type { ProviderServer } from "./provider-server.ts";

/** Looks like no key: it has to be recognised by itself. */
export const KEY = "plainsecret0123456789";

export const SHAPE = {
  name: "Fruit",
  schema: {
    type: "object",
    properties: { name: { type: "string" }, weight: { type: "number" } },
    required: ["name"],
    additionalProperties: false,
  },
};

export const READ_TOOL = {
  name: "read",
  description: "Reads a file",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

/** `local/NAME`, a model of that server. */
export function openLocalModel(
  server: ProviderServer,
  api: ProviderApi,
  options: ModelOptions = {},
  name = "some-model",
): Promise<Model> {
  const local = { api, baseUrl: server.baseUrl, key: KEY, keyVariable: "LOCAL_KEY" };
  return createModel(`local/${name}`, {
    providers: { local },
    prices: { "local/some-model": { input: 1, output: 10, cachedInput: 0.5 } },
    retryBaseMs: 1,
    ...options,
  });
}

export function ask(model: Model, request: Partial<ModelRequest> = {}) {
  return model.ask({ step: "chat", system: "Be brief.", messages: [{ role: "user", text: "Hello" }], ...request });
}

/** The coded error that a request ends with. Whatever it is, it must not hold the key. */
export async function failureOf(promise: Promise<unknown>): Promise<DrydockError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DrydockError)) throw new Error(`no coded error: ${String(error)}`);
  const shown = JSON.stringify([error.message, error.hint, error.data, error.stack, String(error.cause)]);
  if (shown.includes(KEY) || /authorization/i.test(shown)) throw new Error(`the error holds the key: ${shown}`);
  return error;
}
