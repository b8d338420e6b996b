import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CapabilityOutcome } from "@drydock/protocol";
import { type DrydockServer, type ServeOptions, serve } from "drydock";
import { type Client, createClient } from "drydock/client";
import { afterAll, beforeAll } from "vitest";
import { type Files, writeExtension } from "../testing/extension-dock.ts";

export interface ExtensionServer {
  readonly server: DrydockServer;
  readonly client: Client;
  readonly home: string;
  readonly directory: string;
  /** As it comes over the socket. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Asked>;
  /** A line, as a person would type it. */
  call(line: string, more?: object): Promise<CapabilityOutcome>;
  /** Does what must succeed. */
  output(line: string, more?: object): Promise<string>;
  makeDirectory(files: Files): string;
  /** Shown first, then agreed to. */
  add(source: string): Promise<void>;
  /** Ends the server with its dock, and starts another on the same home. */
  restart(): Promise<void>;
}

export interface Asked {
  status: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of all kinds are looked into.
  value: any;
}

export interface ExtensionServerOptions {
  extensions?: Files[];
  policy?: string;
  agents?: Parameters<typeof serve>[0];
  /** Answers of a scripted model, which is the server's. */
  script?: unknown[];
  options?: ServeOptions;
}

/** A server on a real socket for all the tests of a file, with these extensions added over HTTP. */
export function openExtensionServer(given: ExtensionServerOptions = {}): ExtensionServer {
  const directory = mkdtempSync(join(tmpdir(), "drydock-extension-server-"));
  const home = join(directory, "home");
  let server: DrydockServer | undefined;
  const opened = () => {
    if (!server) throw new Error("the server is opened by beforeAll");
    return server;
  };
  const client = () => createClient({ baseUrl: opened().url, token: opened().token ?? "" });
  const start = async () => {
    const file = join(directory, "script.json");
    if (given.script) writeFileSync(file, JSON.stringify({ answers: given.script }));
    const model = given.script ? { model: `scripted:${file}` } : {};
    server = await serve(given.agents ?? [], { port: 0, warm: 2, home, ...model, ...given.options });
  };
  const makeDirectory = (files: Files) => {
    const made = mkdtempSync(join(directory, "made-"));
    writeExtension(made, files);
    return made;
  };
  const add = async (source: string) => {
    const first = await client().extensions.add({ source });
    if (first.outcome !== "planned") throw new Error("it was installed without being shown");
    await client().extensions.add({ source, approved: first.plan.extension.hash });
  };
  const call = (line: string, more: object = {}) => client().extensions.execute(line, more);
  beforeAll(async () => {
    mkdirSync(home, { mode: 0o700 });
    if (given.policy !== undefined) writeFileSync(join(home, "policy.yaml"), given.policy);
    await start();
    for (const files of given.extensions ?? []) {
      await add(makeDirectory({ "docs/USAGE.md": "# Usage\n\nFor tests.\n", ...files }));
    }
  });
  afterAll(async () => {
    await server?.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    get server() {
      return opened();
    },
    get client() {
      return client();
    },
    home,
    directory,
    async ask(method, path, body, headers = {}) {
      const { url, token } = opened();
      const json = body === undefined ? {} : { "content-type": "application/json" };
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...json, ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await answer.text();
      const isJson = answer.headers.get("content-type")?.startsWith("application/json");
      return { status: answer.status, text, value: isJson ? JSON.parse(text) : null };
    },
    call,
    async output(line, more) {
      const outcome = await call(line, more);
      if (outcome.type === "capability_result") return outcome.output;
      throw new Error(`${line} did not succeed: ${JSON.stringify(outcome)}`);
    },
    makeDirectory,
    add,
    async restart() {
      await server?.close();
      await start();
    },
  };
}

/** Something on this machine that answers over HTTP, until the file's tests are over. */
export async function openSite(answers: Record<string, string>): Promise<{ host: string; asked: string[] }> {
  const requests: string[] = [];
  const site = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""}`.trim());
    const body = answers[request.url ?? ""];
    const type = body?.startsWith("<") ? "text/html" : "application/json";
    response.writeHead(body === undefined ? 404 : 200, { "content-type": type }).end(body ?? '{"error":"none"}');
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    site.closeAllConnections();
    site.close();
  });
  return { host: `127.0.0.1:${(site.address() as AddressInfo).port}`, asked: requests };
}
