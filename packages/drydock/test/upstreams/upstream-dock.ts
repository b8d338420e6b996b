import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExecOptions } from "drydock";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { openTestDock, type TestDock } from "../testing/test-dock.ts";
import { startUpstreamServer, type UpstreamTestServer } from "./upstream-server.ts";

export interface UpstreamDock extends TestDock {
  readonly key: string;
  readonly server: UpstreamTestServer;
}

/** A dock with the upstreams `openai`, `anthropic`, `small` and `other`, all on one server of this machine. */
export function openUpstreamDock(): UpstreamDock {
  const key = `Kq/${randomBytes(18).toString("hex")}+x=`;
  let server: UpstreamTestServer | undefined;
  const use = () => {
    if (!server) throw new Error("the server is started by beforeAll");
    return server;
  };
  beforeAll(async () => {
    process.env.TEST_UPSTREAM_KEY = key;
    server = await startUpstreamServer(key);
  });
  const test = openTestDock({
    policy: `version: 1
network: { upstreams: { default: [], max: ["*"] } }
environment: { allow: [LANG, "TEST_UPSTREAM_*"] }
`,
    prepare(home) {
      const baseUrl = `http://127.0.0.1:${use().port}/v1`;
      const own = `baseUrl: "${baseUrl}", keyVariable: TEST_UPSTREAM_KEY`;
      writeFileSync(
        join(home, "config.yaml"),
        `models: { prices: { "openai/gpt-5": { input: 1, output: 10, cachedInput: 0.5 } } }
upstreams:
  openai: { ${own} }
  anthropic: { ${own} }
  small: { ${own}, preset: openai, budget: { tokens: 2500 } }
  gone: { baseUrl: "http://127.0.0.1:1/v1", keyVariable: TEST_UPSTREAM_KEY, preset: openai, budget: { tokens: 2500 } }
  gemini: { ${own} }
  money: { ${own}, preset: openai, budget: { usd: 0.02 } }
  refused: { baseUrl: "${baseUrl}", preset: openai, keyFile: ${join(home, "wrong-key")} }
  keyless: { baseUrl: "${baseUrl}", preset: openai, keyVariable: TEST_NO_SUCH_VARIABLE }
  other: { ${own}, allow: ["GET /models/*", "POST /files/**"] }
`,
      );
      writeFileSync(join(home, "wrong-key"), "a-key-that-is-refused\n", { mode: 0o600 });
    },
  });
  beforeEach(() => use().seen.splice(0));
  afterAll(() => {
    server?.close();
    delete process.env.TEST_UPSTREAM_KEY;
  });
  return Object.defineProperties(test as UpstreamDock, { key: { value: key }, server: { get: use } });
}

/** A request that asks for these upstreams. */
export function withUpstreams(...upstreams: string[]): Pick<ExecOptions, "policy"> {
  return { policy: { network: { upstreams } } };
}

/** `ask(method, url, body)` gives status and text; `send(text)` sends bytes to the way out. */
export const CLIENT = `
import json, os, socket, urllib.error, urllib.request
def ask(method, url, body=None, headers={}):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json", **headers}, method=method)
    opener = urllib.request.build_opener(NoRedirect)
    try:
        with opener.open(request, timeout=20) as answer:
            return [answer.status, answer.read().decode("latin1"), dict(answer.headers)]
    except urllib.error.HTTPError as error:
        return [error.code, error.read().decode("latin1"), dict(error.headers)]
class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args): return None
def send(text):
    with socket.create_connection(("127.0.0.1", 3128), 5) as s:
        s.settimeout(5)
        data = b""
        try:
            s.sendall(text.encode("latin1"))
            while chunk := s.recv(65536): data += chunk
        except OSError: pass
        return data.decode("latin1")
`;
