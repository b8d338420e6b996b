import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Dock } from "drydock";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { REPLAYS, SERVICE_KEY } from "./testing/replays.ts";
import { startServiceServer } from "./testing/start-service-server.ts";

const server = await startServiceServer(REPLAYS);
const at = (path: string) => `http://127.0.0.1:${server.port}/${path}`;
const t = openTestDock({
  prepare: (home) =>
    writeFileSync(join(home, "policy.yaml"), `version: 1\nnetwork:\n  allow: ["127.0.0.1:${server.port}"]\n`),
});
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

type Config = Record<string, unknown>;

interface Case {
  config: Config;
  /** For an answer in a stream, where that is another setting. */
  streamed?: Config;
  /** A setting without which nothing works. */
  missing: string;
  /** What the service calls the conversation, and where a second message says so. */
  conversation: [id: string, where: RegExp];
  usage?: object;
  /** What a request with a picture holds; null: the service takes none. */
  picture: RegExp | null;
  /** The code of an error that the service reports, without and with a stream. */
  errors?: [plain: string, streamed: string];
}

const key = { "api-key": "SERVICE_KEY" };
const usage = { input_tokens: 3, output_tokens: 2 };
const CASES: Record<string, Case> = {
  dify: {
    config: { ...key, "base-url": at("dify/v1") },
    ...{ missing: "api-key", conversation: ["dify-1", /"conversation_id":"dify-1"/], usage },
    ...{
      picture: /"type":"image","transfer_method":"local_file","upload_file_id":"file-1"/,
      errors: ["http_error", "api_error"],
    },
  },
  n8n: {
    config: { ...key, "webhook-url": at("n8n/webhook/plain"), "auth-type": "basic", "auth-user": "bot" },
    streamed: { "webhook-url": at("n8n/webhook/stream"), streams: true },
    ...{ missing: "webhook-url", conversation: ["talk", /"sessionId":"talk/], picture: /filename="attachment-1\.png"/ },
  },
  langflow: {
    config: { ...key, "base-url": at("langflow"), "flow-id": "flow", "file-component": "ChatInput-1" },
    ...{ missing: "flow-id", conversation: ["talk", /"session_id":"talk/] },
    ...{ picture: /"ChatInput-1":\{"files":\["flow\/a\.png"\]\}/, errors: ["http_error", "api_error"] },
  },
  coze: {
    config: { ...key, "base-url": at("coze"), "bot-id": "bot" },
    ...{ missing: "bot-id", conversation: ["coze-1", /conversation_id=coze-1/], usage },
    picture: /object_string.*|file_id\\":\\"file-7/,
  },
  dashscope: {
    config: { ...key, "base-url": at("dashscope"), "app-id": "app", references: true },
    ...{ missing: "app-id", conversation: ["dash-1", /"session_id":"dash-1"/], usage, picture: null },
    errors: ["http_error", "api_error"],
  },
  tbox: {
    config: { ...key, "base-url": at("tbox"), "app-id": "app" },
    ...{ missing: "api-key", conversation: ["tbox-1", /"conversationId":"tbox-1"/] },
    picture: /"type":"IMAGE","fileId":"tfile-1"/,
  },
  deerflow: {
    config: { ...key, "base-url": at("deerflow") },
    ...{
      missing: "base-url",
      conversation: ["thread-1", /threads\/thread-1\/runs/],
      picture: new RegExp(PNG.slice(0, 40)),
    },
  },
  weknora: {
    config: { ...key, "base-url": at("weknora/api/v1") },
    ...{ missing: "api-key", conversation: ["wk-1", /agent-chat\/wk-1/], picture: new RegExp(PNG.slice(0, 40)) },
  },
  "litellm-agent-platform": {
    config: { ...key, "base-url": at("litellm-agent-platform"), "agent-id": "coder" },
    ...{ missing: "base-url", conversation: ["lite-1", /sessions\/lite-1\/events/], picture: null },
  },
};
let count = 0;

beforeAll(async () => {
  await t.dock.extensions.secrets.set("SERVICE_KEY", SERVICE_KEY);
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

async function newAgent(runner: string, config: Config) {
  const name = `agent-${++count}`;
  await t.dock.host.agents.add({ name, runner, config });
  const deltas: string[] = [];
  const say = async (text: string, event: Partial<Parameters<Dock["host"]["send"]>[0]> = {}) => {
    const message = {
      ...{ type: "message.received", conversation: { conversation_id: `talk-${name}` } },
      ...{ actor: { actor_type: "user", actor_id: "ann" }, input: { text }, delivery: { surface: "test" } },
      ...event,
    };
    const result = await t.dock.host.send(message, { agent: name, onDelta: (piece) => deltas.push(piece) });
    if (result.kind !== "answered") throw new Error(result.kind);
    return result;
  };
  return { say, deltas, name };
}

const STREAM = { delivery: { surface: "test", supports_streaming: true } };
const lastRequest = () => server.requests.map(({ path, query, raw }) => `${path}?${query} ${raw}`).join("\n");

describe.each(Object.entries(CASES))("%s", (runner, { config, streamed, missing, conversation, ...rest }) => {
  const { usage: used, picture, errors = ["api_error", "api_error"] } = rest;

  it("answers, and goes on in the conversation of the service", async () => {
    const { say, deltas } = await newAgent(runner, config);
    const first = await say("hello");
    expect(first).toMatchObject({ ok: true, error: null, warnings: [], ...(used && { usage: used }) });
    expect(first.text).toMatch(/^Hello there/);
    expect(deltas).toEqual([]);
    server.requests.length = 0;
    expect(await say("hello")).toMatchObject({ ok: true });
    expect(lastRequest()).toMatch(conversation[1]);
    expect(lastRequest()).toContain(conversation[0]);
  });

  it("streams", async () => {
    const { say, deltas } = await newAgent(runner, { ...config, ...streamed });
    const result = await say("hello", STREAM);
    expect(result).toMatchObject({ ok: true, ...(used && { usage: used }) });
    expect(result.text).toMatch(/^Hello there/);
    expect(deltas.join("")).toBe("Hello there");
    if (runner !== "litellm-agent-platform") expect(deltas.length).toBeGreaterThan(1);
  });

  it("reports errors of the service and of HTTP, a timeout and silence, never with the key", async () => {
    const { say } = await newAgent(runner, { ...config, timeout: 1 });
    const codeOf = async (text: string, event = {}) => {
      const { ok, error } = await say(text, event);
      expect(ok).toBe(false);
      expect(JSON.stringify(error)).not.toContain(SERVICE_KEY);
      expect(error?.code).toBe("runner.failed");
      return [String(error?.runnerCode).replace(`${runner}.`, ""), error?.retryable];
    };
    expect(await codeOf("fail")).toEqual([errors[0], errors[0] === "http_error" && runner === "langflow"]);
    expect(await codeOf("refuse")).toEqual(["http_error", false]);
    expect(await codeOf("sleep")).toEqual(["timeout", true]);
    expect(await codeOf("nothing", STREAM)).toEqual(["empty_response", false]);
    const other = await newAgent(runner, { ...config, ...streamed });
    expect(await other.say("fail", STREAM)).toMatchObject({ error: { runnerCode: `${runner}.${errors[1]}` } });
  });

  it(`says what is missing: ${missing}`, async () => {
    const { [missing]: _, ...without } = config;
    const { say } = await newAgent(runner, without);
    expect(await say("hello")).toMatchObject({
      ok: false,
      error: { runnerCode: `${runner}.config_invalid`, message: expect.stringContaining(`\`${missing}\` is missing`) },
    });
    expect(server.requests).toEqual([]);
  });

  it("takes a picture, or names it", async () => {
    const { say } = await newAgent(runner, config);
    const contents = [{ type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } }];
    expect(await say("", { input: { text: "hello", contents } })).toMatchObject({ ok: true });
    expect(lastRequest()).toMatch(picture ?? /\[file: attachment-1 image\/png\]/);
  });
});
