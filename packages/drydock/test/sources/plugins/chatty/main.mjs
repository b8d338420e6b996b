// Speaks the protocol by hand, without a build of the SDK.
import { createInterface } from "node:readline";

const manifest = {
  id: "plugin:test/chatty/default",
  name: "default",
  label: { en: "Chatty" },
  capabilities: { streaming: true, interrupt: true },
  permissions: { artifacts: ["metadata", "read"] },
};
const waiting = new Map();
let nextId = 1;

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A call of the host API. */
function call(method, params) {
  const id = nextId++;
  write({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

/** What the message asks for, by its first word. */
const DEEDS = {
  /** Text as it comes, in two pieces with a time between them. */
  async stream({ send, say }) {
    for (const content of ["one ", "two "]) {
      send("message.delta", { chunk: { content } });
      await sleep(900);
    }
    say("one two three");
  },
  /** As many characters as it says, in lines of 50. */
  async long({ words, say }) {
    const lines = Array.from({ length: Number(words[1]) / 50 }, (_, index) =>
      `${index} ${"x".repeat(60)}`.slice(0, 49),
    );
    say(lines.join("\n"));
  },
  async fail({ send }) {
    send("run.failed", { code: "chatty.down", error: "out of order, secret detail", retryable: false });
  },
  async picture({ send, say }) {
    const content_base64 = Buffer.from(PIXEL, "base64").toString("base64");
    send("artifact.created", { artifact_type: "image", name: "pixel.png", mime_type: "image/png", content_base64 });
    const csv = Buffer.from("a,b\n1,2\n").toString("base64");
    send("artifact.created", { artifact_type: "file", name: "table.csv", mime_type: "text/csv", content_base64: csv });
    say("here they are");
  },
  /** What came with the message, by content. */
  async files({ context, say }) {
    const found = [];
    for (const { artifact_id, name } of context.input.attachments) {
      const { result, error } = await call("artifact_read", { run_id: context.run_id, artifact_id });
      const bytes = result ? Buffer.from(result.content_base64, "base64") : null;
      found.push(`${name}=${bytes ? bytes.toString("utf8").slice(0, 40) : JSON.stringify(error)}`);
    }
    say(`${context.input.text} | ${found.join(" ")}`);
  },
};
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async function run({ id, params }) {
  const { channel, context } = params;
  const send = (type, data) => write({ method: "run.result", params: { channel, result: { type, data } } });
  const say = (content) => send("message.completed", { message: { role: "assistant", content } });
  const words = (context.input.text ?? "").split(/\s+/);
  const deed = DEEDS[words[0]];
  if (deed) await deed({ context, words, send, say });
  else say(`You said: ${context.input.text}`);
  write({ id, result: {} });
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.method === undefined) waiting.get(message.id)?.(message);
  else if (message.method === "initialize")
    write({
      id: message.id,
      result: {
        protocol_version: "1",
        runners: [{ plugin_author: "test", plugin_name: "chatty", runner_name: "default", manifest }],
      },
    });
  else if (message.method === "runner.run") void run(message);
  else if (message.method === "ping") write({ id: message.id, result: {} });
}
