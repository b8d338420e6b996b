import { once } from "node:events";
import { createServer, request as forward, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ProviderApi } from "@drydock/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createModel } from "../index.ts";
import { ask, failureOf, KEY, openLocalModel } from "../testing/ask-over-wire.ts";
import { type ProviderServer, startProviderServer } from "../testing/provider-server.ts";

const APIS: ProviderApi[] = ["openai-compatible", "openai", "openai-responses", "anthropic"];
let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

describe.each(APIS)("an address that answers as no model does, over %s", (api) => {
  test("a web page is named at once, and not asked for again", async () => {
    server.answer(() => ({ body: "<!doctype html><title>Welcome</title>", type: "text/html; charset=utf-8" }));
    const error = await failureOf(ask(await openLocalModel(server, api)));
    expect(error.code).toBe("model.unavailable");
    expect(error.message).toMatch(/http:\/\/127\.0\.0\.1:\d+\/v1 returned a web page/);
    expect(error.hint).toContain("models.providers.local.baseUrl");
    expect(error.data).toMatchObject({ attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });

  test("so is JSON in place of a stream, without the key that it may hold", async () => {
    server.answer(() => ({ body: JSON.stringify({ detail: `no route for ${KEY}` }), type: "application/json" }));
    const error = await failureOf(ask(await openLocalModel(server, api)));
    expect(error).toMatchObject({ code: "model.unavailable", message: expect.stringContaining("no route for [key]") });
    expect(server.requests).toHaveLength(1);
  });
});

test("a stream that calls itself JSON is read all the same", async () => {
  const chunk = { id: "1", model: "m", choices: [{ index: 0, delta: { content: "hi" }, finish_reason: "stop" }] };
  server.queue({ body: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, type: "application/json" });
  expect((await ask(await openLocalModel(server, "openai-compatible"))).text).toBe("hi");
});

describe("a proxy", () => {
  let proxy: Server;
  let proxyUrl: string;
  let seen: string[];
  beforeEach(async () => {
    seen = [];
    const { port } = new URL(server.baseUrl);
    // Whatever host is asked for, it leads to the provider's server.
    proxy = createServer((incoming, response) => {
      seen.push(`${incoming.method} ${incoming.url}`);
      const { method, headers } = incoming;
      const path = new URL(incoming.url ?? "").pathname;
      const onward = forward({ host: "127.0.0.1", port, path, method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      incoming.pipe(onward);
    });
    proxy.on("connect", (incoming, socket) => {
      seen.push(`CONNECT ${incoming.url}`);
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    proxy.closeAllConnections();
    proxy.close();
  });

  const openModel = (baseUrl: string, settings: { http?: string; https?: string; except: string }) =>
    createModel("local/some-model", {
      providers: { local: { api: "anthropic", baseUrl, key: KEY, proxy: settings } },
      retryBaseMs: 1,
    });

  test("forwards requests to plain addresses", async () => {
    server.queue({ text: "through" });
    const model = await openModel("http://models.example/v1", { http: proxyUrl, except: "" });
    expect((await ask(model)).text).toBe("through");
    expect(seen).toEqual(["POST http://models.example/v1/messages"]);
  });

  test("is asked for a tunnel to encrypted ones; one that refuses is named, and not asked again", async () => {
    const model = await openModel("https://models.example/v1", { https: proxyUrl, except: "" });
    const error = await failureOf(ask(model));
    expect(seen).toEqual(["CONNECT models.example:443"]);
    expect(error).toMatchObject({ code: "model.unavailable", data: { attempts: 1 } });
    expect(error.message).toContain("the proxy does not connect to https://models.example/v1");
    expect(error.hint).toContain(proxyUrl);
  });

  test("is passed over for the hosts of NO_PROXY", async () => {
    server.queue({ text: "direct" });
    const model = await openModel(server.baseUrl, { http: proxyUrl, except: "other.example,127.0.0.1" });
    expect((await ask(model)).text).toBe("direct");
    expect(seen).toEqual([]);
  });

  test("that does not run is named in the hint", async () => {
    const model = await openModel("http://models.example/v1", { http: "http://127.0.0.1:9", except: "" });
    const error = await failureOf(ask(model));
    expect(error).toMatchObject({ code: "model.unavailable", hint: expect.stringContaining("http://127.0.0.1:9") });
  });
});

describe("requests are counted as they were sent", () => {
  test("repetitions", async () => {
    server.queue({ status: 500 }, { status: 503 }, { text: "whole" });
    expect(await ask(await openLocalModel(server, "openai"))).toMatchObject({ text: "whole", requests: 3 });
  });

  test("corrections, with the repetitions of each", async () => {
    const bad = { toolCalls: [{ name: "read", input: "{" }] };
    server.queue({ status: 500 }, bad, bad, { status: 401 });
    const error = await failureOf(ask(await openLocalModel(server, "openai")));
    expect(error.data).toMatchObject({ status: 401, attempts: 4 });
  });

  test("models that failed before another answered", async () => {
    await using other = await startProviderServer();
    server.answer(() => ({ status: 500 }));
    other.queue({ text: "instead" });
    const settings = (baseUrl: string) => ({ api: "anthropic" as const, baseUrl, key: KEY });
    const providers = { first: settings(server.baseUrl), second: settings(other.baseUrl) };
    const model = await createModel("first/a,second/b", { providers, retries: 1, retryBaseMs: 1 });
    expect(await ask(model)).toMatchObject({ model: "second/b", requests: 3 });
  });
});
