import { join } from "node:path";
import { beforeAll } from "vitest";
import { openTestServer, type TestServer, type TestServerOptions } from "../../testing/open-test-server.ts";

const ROOT = join(import.meta.dirname, "../../../../../../..");

export const ECHO = "plugin:drydock/echo/echo";
export const PYTHON_ECHO = "plugin:drydock/echo-python/echo";
export const ODD = "plugin:test/odd/default";

/** A server with the echo runners and one that misbehaves, and an agent for each. `helper` gets all messages. */
export function openHostServer(options: TestServerOptions = {}): TestServer {
  const place = openTestServer({ warm: 1, ...options });
  beforeAll(async () => {
    const { host } = place.server.dock;
    await host.plugins.add(join(ROOT, "runners/echo"));
    await host.plugins.add(join(ROOT, "runners/echo-python"));
    await host.plugins.add(join(ROOT, "packages/drydock/test/host/plugins/odd"));
    await host.agents.add({ name: "helper", runner: ECHO });
    await host.agents.add({ name: "snake", runner: PYTHON_ECHO });
    await host.agents.add({ name: "odd", runner: ODD });
    await host.agents.bind({ agent: "helper" });
  });
  return place;
}
