import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDock, type Dock } from "../../src/app/index.ts";
import { type ProviderServer, startProviderServer, type WireReply } from "../../src/models/testing/provider-server.ts";
import { runCli, spawnCli } from "../../src/surfaces/cli/testing/run-cli.ts";
import { useHome } from "../../src/surfaces/cli/testing/use-home.ts";
import { type DrydockServer, serve } from "../../src/surfaces/http/index.ts";
import { createMcpEndpoint } from "../../src/surfaces/mcp/index.ts";
import { type Listening, listen } from "../../src/surfaces/mcp/testing/listen.ts";
import { connectTo } from "../../src/surfaces/mcp/testing/use-mcp.ts";
import { pipeRepl } from "../../src/surfaces/repl/testing/pipe-repl.ts";

// The same question through every door, answered by a server that speaks OpenAI's protocol. It is no language model: it
// calls four tools, one after the other, and then repeats the averages that it was shown.

const WORDS = "average every column of data.csv and draw a chart";
const DATA = "x,y\n1,10\n2,20\n3,60\n";
const ATTACHED = [{ name: "data.csv", content: DATA }];
const STEPS = [
  "import pandas as pd\ndf = pd.read_csv('data.csv')\nprint(df.shape)",
  "means = df.mean()\nprint('averages', means.to_dict())",
  "import matplotlib.pyplot as plt\nax = means.plot.bar()",
  "print('done')",
];

const home = useHome();
let provider: ProviderServer;
let dock: Dock;
let server: DrydockServer;
let mcp: Listening;

function answer({ body }: { body: Record<string, unknown> }): WireReply {
  const messages = body.messages as { role: string; content: unknown }[];
  const results = messages
    .slice(messages.findLastIndex(({ role }) => role === "user"))
    .filter(({ role }) => role === "tool");
  const code = STEPS[results.length];
  if (code !== undefined) return { toolCalls: [{ name: "session_exec", input: JSON.stringify({ code }) }] };
  const averages = /averages (\{.*\})/.exec(JSON.stringify(results))?.[1] ?? "none were shown";
  return { text: `The averages are ${averages}.` };
}

beforeAll(async () => {
  provider = await startProviderServer();
  provider.answer(answer);
  const models = { default: "local/test", providers: { local: { baseUrl: provider.baseUrl } } };
  writeFileSync(join(home(), "config.yaml"), JSON.stringify({ models }));
  writeFileSync(join(home(), "data.csv"), DATA);
  dock = await createDock({ home: home(), warm: 2 });
  server = await serve([], { port: 0, home: home(), warm: 2 });
  mcp = await listen(createMcpEndpoint(dock));
});
afterAll(async () => {
  await mcp.close();
  await server.close();
  await dock.close();
  await provider.close();
});

/** The averages are in the text, a picture came back, and four tool calls are on record. */
async function expectAnswer(result: { text: string; runId: string; pictures: unknown[] }): Promise<void> {
  expect(result.text).toContain("'x': 2.0, 'y': 30.0");
  expect(result.pictures.length).toBeGreaterThan(0);
  const events = await dock.runs.events(result.runId);
  expect(events.filter(({ type }) => type === "tool.finished")).toHaveLength(4);
}

const isPicture = ({ mime }: { mime: string }) => mime === "image/png";
const lastRun = async () => (await dock.runs.list({ kind: "agent", limit: 1 })).runs[0]?.id ?? "";

it("the library", async () => {
  const { text, runId, artifacts } = await dock.ask(WORDS, { attachments: ATTACHED });
  await expectAnswer({ text, runId, pictures: artifacts.filter(isPicture) });
});

it("the command line, with the picture in a directory", async () => {
  const out = join(home(), "out");
  const { status, stdout, stderr } = await runCli("ask", WORDS, "--file", join(home(), "data.csv"), "--out", out);
  expect(status, stderr).toBe(0);
  const pictures = readdirSync(out).filter((name) => name.endsWith(".png"));
  expect(
    readFileSync(join(out, pictures[0] ?? ""))
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");
  expect(stderr).toContain(join(out, pictures[0] ?? ""));
  expect(stdout).toContain("means = df.mean()");
  await expectAnswer({ text: stdout, runId: await lastRun(), pictures });
});

it("the command line, which does not ask where the files could not be written", async () => {
  const runs = await lastRun();
  const file = join(home(), "data.csv");
  const { status, stderr } = await runCli("ask", WORDS, "--file", file, "--out", file);
  expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining("it is not a directory") });
  expect(await lastRun()).toBe(runs);
});

it("the command line, in a session that it goes on with", async () => {
  const { stdout: session } = await spawnCli(home(), ["session", "open"]).finished;
  try {
    const options = ["--file", join(home(), "data.csv"), "--session", session.trim(), "--json"];
    const { stdout } = await runCli("ask", WORDS, ...options);
    const result = JSON.parse(stdout) as { text: string; runId: string; artifacts: { mime: string }[] };
    await expectAnswer({ ...result, pictures: result.artifacts.filter(isPicture) });
    const after = await runCli("session", "exec", session.trim(), "-c", "print(float(means['y']))");
    expect(after.stdout).toBe("30.0\n");
  } finally {
    await runCli("session", "close", session.trim());
  }
});

it("the REPL, whose session has the variables afterwards", async () => {
  const lines = [`/attach ${join(home(), "data.csv")}\n`, `${WORDS}\n`, "print('y is', means['y'])\n"];
  const { status, stdout, stderr } = await pipeRepl(dock, lines);
  expect(status, stderr).toBe(0);
  expect(stdout).toContain("y is 30.0");
  const pictures = stderr.match(/\S+\.png/g) ?? [];
  expect(existsSync(pictures[0] ?? "")).toBe(true);
  await expectAnswer({ text: stdout, runId: await lastRun(), pictures });
});

it("HTTP, with a picture that can be fetched", async () => {
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const body = JSON.stringify({ words: WORDS, attachments: ATTACHED });
  const answered = await fetch(`${server.url}/ask`, { method: "POST", headers, body });
  const result = (await answered.json()) as { text: string; runId: string; artifacts: { id: string; mime: string }[] };
  const pictures = result.artifacts.filter(isPicture);
  await expectAnswer({ ...result, pictures });
  const picture = await fetch(`${server.url}/artifacts/${pictures[0]?.id}`, { headers });
  expect(picture.headers.get("content-type")).toBe("image/png");
});

it("the openai package, with the table as a file of the message, whole and in pieces", async () => {
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.token ?? "", maxRetries: 0 });
  const file_data = `data:text/csv;base64,${Buffer.from(DATA).toString("base64")}`;
  const content: OpenAI.ChatCompletionContentPart[] = [
    { type: "text", text: WORDS },
    { type: "file", file: { filename: "data.csv", file_data } },
  ];
  const request = { model: "default", messages: [{ role: "user" as const, content }] };
  const whole = (await client.chat.completions.create(request)) as OpenAI.ChatCompletion & {
    drydock: { runId: string; artifacts: { mime: string }[] };
  };
  const text = whole.choices[0]?.message.content ?? "";
  const { runId, artifacts } = whole.drydock;
  await expectAnswer({ text, runId, pictures: artifacts.filter(isPicture) });
  let pieces = "";
  for await (const chunk of await client.chat.completions.create({ ...request, stream: true })) {
    pieces += chunk.choices[0]?.delta.content ?? "";
  }
  expect(pieces).toBe(text);
});

it("MCP, with the picture in the answer", async () => {
  const client = await connectTo(mcp.url, "auto");
  try {
    const result = await client.callTool({ name: "ask", arguments: { words: WORDS, attachments: ATTACHED } });
    const { text, runId } = result.structuredContent as { text: string; runId: string };
    const content = result.content as { type: string }[];
    await expectAnswer({ text, runId, pictures: content.filter(({ type }) => type === "image") });
  } finally {
    await client.close();
  }
});
