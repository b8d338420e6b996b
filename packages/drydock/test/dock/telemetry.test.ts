import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createDock, type Dock } from "drydock";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { useTemporaryDirectory } from "../../src/base/testing/temporary-directory.ts";
import { startModelServer } from "../knowledge/testing/start-model-server.ts";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code: number; message?: string };
}

const SECRET = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
const directory = useTemporaryDirectory();
const received: { path: string; key: string | undefined; text: string }[] = [];
let answer: (response: ServerResponse) => void;
let receiver: Server;
let warned: string[] = [];
const onWarning = ({ message }: Error) => void warned.push(message);

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    received.push({ path: request.url ?? "", key: request.headers["api-key"] as string | undefined, text });
    answer(response);
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  process.on("warning", onWarning);
});
afterAll(() => {
  process.off("warning", onWarning);
  receiver.closeAllConnections();
  receiver.close();
});
afterEach(async () => {
  // Warnings are told a moment later.
  await new Promise(setImmediate);
  vi.unstubAllEnvs();
  received.length = 0;
  warned = [];
});

/** A dock that sends its traces to the receiver, or wherever is said. */
async function useDock(act: (dock: Dock) => Promise<unknown>, endpoint?: string | null): Promise<void> {
  answer = (response) => response.end("{}");
  const { port } = receiver.address() as AddressInfo;
  if (endpoint !== null) vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint ?? `http://127.0.0.1:${port}/`);
  vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "api-key=a%20b");
  const dock = await createDock({ home: `${directory}/home`, warm: 0 });
  try {
    await act(dock);
  } finally {
    await dock.close();
    await new Promise(setImmediate);
  }
}

const spansOf = (): Span[] =>
  received.flatMap(({ text }) => JSON.parse(text).resourceSpans[0].scopeSpans[0].spans as Span[]);
const read = ({ attributes }: Span, key: string) =>
  Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0];

it("each run is a trace: the run, its sandbox and its checks, with how long they took and how they ended", async () => {
  let failed = "";
  const workspace = join(directory, "workspace");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "shown.txt"), "");
  await useDock(async (dock) => {
    await dock.exec({ code: "print(1)" });
    failed = (await dock.exec({ code: `open('x', 'w').write('${SECRET}'); 1 / 0` })).runId;
    await dock.verify({ workspace, checks: [{ type: "file_exists", path: "shown.txt" }] });
  });
  expect(received.map(({ path, key }) => [path, key])).toContainEqual(["/v1/traces", "a b"]);
  const spans = spansOf();
  expect(spans.map(({ name }) => name).sort()).toEqual(
    ["check file_exists", "drydock exec", "drydock exec", "drydock verify", "sandbox", "sandbox"].sort(),
  );
  const root = spans.find((span) => read(span, "drydock.run.id") === failed);
  expect(root).toMatchObject({ name: "drydock exec", status: { code: 2, message: "code.exception" } });
  const sandbox = spans.find((span) => span.parentSpanId === root?.spanId);
  expect(sandbox).toMatchObject({ name: "sandbox", traceId: root?.traceId, status: { code: 2 } });
  expect(sandbox && read(sandbox, "drydock.sandbox.backend")).toBe("namespaces");
  for (const { startTimeUnixNano, endTimeUnixNano, traceId, spanId } of spans) {
    expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true);
    expect([traceId, spanId]).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
      expect.stringMatching(/^[0-9a-f]{16}$/),
    ]);
  }
  const sent = received.map(({ text }) => text).join();
  for (const word of [SECRET, "print(1)", directory, "shown.txt"]) expect(sent).not.toContain(word);
  expect(warned).toEqual([]);
});

it("a model's call is a span with its tokens, and the code that it wrote belongs to the same trace", async () => {
  const script = join(directory, "script.json");
  const text = "```python\nresult = 6 * 7\n```";
  writeFileSync(script, JSON.stringify({ answers: [{ when: { step: "code" }, text }] }));
  await useDock(async (dock) => {
    const task = await dock.executePythonTask("Calculate it", { model: `scripted:${script}` });
    expect(task.result).toBe(42);
  });
  const spans = spansOf();
  const root = spans.find(({ parentSpanId }) => parentSpanId === undefined);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([root?.traceId]));
  const chat = spans.find(({ name }) => name === "chat scripted");
  expect(chat).toMatchObject({ parentSpanId: root?.spanId, kind: 3, status: { code: 1 } });
  expect(Number(chat && read(chat, "gen_ai.usage.output_tokens"))).toBeGreaterThan(0);
  const step = spans.find(({ name }) => name === "drydock session");
  expect(step?.parentSpanId).toBe(root?.spanId);
  expect(received.map((one) => one.text).join()).not.toContain("Calculate it");
});

it("a call of a model for vectors is a span of its run", async () => {
  const server = await startModelServer();
  server.tokens = 7;
  const home = join(directory, "home");
  const models = { providers: { local: { baseUrl: server.url } } };
  const file = join(home, "config.yaml");
  writeFileSync(file, JSON.stringify({ models, knowledge: { embedding: "local/small" } }));
  const documents = join(directory, "documents");
  mkdirSync(documents);
  writeFileSync(join(documents, "a.md"), "A private sentence.");
  await useDock((dock) => dock.knowledge.add("kb", [documents]));
  await server.close();
  rmSync(file);
  const root = spansOf().find(({ name }) => name === "drydock knowledge");
  const call = spansOf().find(({ name }) => name === "embedding local/small");
  expect(call).toMatchObject({ parentSpanId: root?.spanId, kind: 3, status: { code: 1 } });
  expect(call && read(call, "gen_ai.operation.name")).toBe("embeddings");
  expect(Number(call && read(call, "gen_ai.usage.input_tokens"))).toBe(7);
  expect(received.map((one) => one.text).join()).not.toContain("private");
});

it("nothing is sent where nobody asked for it, or it is switched off", async () => {
  await useDock((dock) => dock.exec({ code: "1" }), null);
  vi.stubEnv("OTEL_SDK_DISABLED", "true");
  await useDock((dock) => dock.exec({ code: "1" }));
  expect(received).toEqual([]);
});

it.each([
  ["refuses", (response: ServerResponse) => response.writeHead(500).end("no"), "status 500"],
  [
    "sends elsewhere",
    (response: ServerResponse) => response.writeHead(307, { location: "http://127.0.0.1:9/" }).end(),
    "",
  ],
  ["breaks off", (response: ServerResponse) => response.destroy(), ""],
  ["never answers", () => {}, ""],
])("a receiver that %s never hurts a run", async (_name, act, problem) => {
  await useDock(async (dock) => {
    answer = act;
    for (const code of ["1", "2"]) expect(await dock.exec({ code })).toMatchObject({ ok: true });
  });
  expect(warned.length).toBeLessThanOrEqual(1);
  if (problem !== "") expect(warned[0]).toContain(problem);
});

it("an address that leads nowhere, or is none, never hurts a run, and no key in it is told", async () => {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  for (const endpoint of [`http://127.0.0.1:${port}/hidden-key`, "hidden-key"]) {
    await useDock(async (dock) => expect(await dock.exec({ code: "1" })).toMatchObject({ ok: true }), endpoint);
  }
  expect(warned).toHaveLength(2);
  expect(warned.join()).not.toContain("hidden-key");
});
