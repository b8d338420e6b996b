import { DiscordAPIError, HTTPError, REST } from "@discordjs/rest";
import { CallError, type CallFault, noAnswer } from "../chats/call-fault.ts";

const CALL_MS = 60_000;

/** Discord's client of its REST API, over the `fetch` of Node: by itself it brings an HTTP client along. */
export function createDiscordRest(apiRoot: string, token: string): REST {
  const api = apiRoot.replace(/\/+$/, "");
  const makeRequest = (url: string, init: Parameters<REST["options"]["makeRequest"]>[1]) =>
    fetch(url, init as RequestInit);
  return new REST({ api, version: "10", retries: 0, timeout: CALL_MS, makeRequest }).setToken(token);
}

/** A failure in our words. The library waits for rate limits by itself. */
export function readFault(error: unknown): CallFault {
  if (error instanceof CallError) return error.fault;
  if (error instanceof DiscordAPIError) {
    const { status, rawError } = error;
    const text = `Discord refused it: ${"message" in rawError ? rawError.message : "no reason"} (${status}).`;
    return { kind: status === 401 ? "denied" : "refused", text };
  }
  if (error instanceof HTTPError) return { kind: "down", text: `Discord answers with status ${error.status}.` };
  return noAnswer("Discord", error);
}
