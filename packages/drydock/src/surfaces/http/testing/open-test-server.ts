import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { AnyAgent } from "../../../tasks/index.ts";
import type { DrydockServer, ServeOptions } from "../index.ts";
import { serve } from "../index.ts";

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The JSON value; null where the answer is none. */
  value: Record<string, unknown>;
}

export interface TestServer {
  readonly server: DrydockServer;
  /** A private directory of this file's tests, removed at the end. */
  readonly directory: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Files in a new directory. */
  makeWorkspace(files: Record<string, string>): string;
}

export type TestServerOptions = ServeOptions & { agents?: readonly AnyAgent[]; script?: unknown[]; policy?: string };

/** A server on a real socket with a real dock, for all the tests of a file. */
export function openTestServer({ agents = [], script, policy, ...options }: TestServerOptions = {}): TestServer {
  const directory = mkdtempSync(join(tmpdir(), "drydock-http-"));
  let server: DrydockServer | undefined;
  let workspaces = 0;
  const opened = () => {
    if (!server) throw new Error("the server is opened by beforeAll");
    return server;
  };
  beforeAll(async () => {
    const file = join(directory, "script.json");
    if (script) writeFileSync(file, JSON.stringify({ answers: script }));
    const home = mkdtempSync(join(directory, "home-"));
    if (policy) writeFileSync(join(home, "policy.yaml"), policy);
    const model = script ? { model: `scripted:${file}` } : {};
    server = await serve(agents, { port: 0, warm: 2, home, ...model, ...options });
  });
  afterAll(async () => {
    await server?.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const fetchFrom: TestServer["fetch"] = (path, init = {}) => {
    const { url, token } = opened();
    const headers = { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...init.headers };
    return fetch(`${url}${path}`, { ...init, headers });
  };
  return {
    get server() {
      return opened();
    },
    directory,
    fetch: fetchFrom,
    async call(method, path, body, headers = {}) {
      const json = body === undefined ? {} : { "content-type": "application/json" };
      const answer = await fetchFrom(path, {
        method,
        headers: { ...json, ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, text, value: readJson(text) };
    },
    makeWorkspace(files) {
      const workspace = mkdtempSync(join(directory, `workspace-${++workspaces}-`));
      for (const [name, content] of Object.entries(files)) writeFileSync(join(workspace, name), content);
      return workspace;
    },
  };
}

function readJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

export interface ServerEvent {
  id: string | undefined;
  event: string | undefined;
  data: string;
}

/** The events of a stream that has ended. */
export function readEvents(text: string): ServerEvent[] {
  return text
    .split("\n\n")
    .map((block) => {
      const field = (name: string) =>
        block
          .split("\n")
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      return { id: field("id"), event: field("event"), data: field("data") ?? "" };
    })
    .filter(({ data }) => data !== "");
}

/** The events of a stream, each told as it comes. */
export async function watchEvents(
  response: Response,
  onEvent: (event: ServerEvent) => Promise<void>,
): Promise<ServerEvent[]> {
  const seen: ServerEvent[] = [];
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf("\n\n") + 2;
    if (end < 2) continue;
    for (const event of readEvents(text.slice(0, end))) {
      seen.push(event);
      await onEvent(event);
    }
    text = text.slice(end);
  }
  return seen;
}
