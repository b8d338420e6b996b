/** Speaks the protocol without the SDK: it writes the lines of the message, where CHANNEL and RUN are those of its run. */
import { createInterface } from "node:readline";

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const permissions = { knowledge_bases: ["list", "retrieve"] };
const manifest = { id: "plugin:test/raw/raw", name: "raw", label: { en_US: "Raw" }, permissions };
const runner = { plugin_author: "test", plugin_name: "raw", runner_name: "raw", manifest };

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") return write({ id, result: { protocol_version: "1", runners: [runner] } });
  if (method === "ping") return write({ id, result: {} });
  if (method === "shutdown") return process.exit(0);
  if (method !== "runner.run") return undefined;
  const text = params.context.input.text.replaceAll("CHANNEL", params.channel).replaceAll("RUN", params.context.run_id);
  process.stdout.write(text === "" ? "" : `${text}\n`);
  const message = { role: "assistant", content: "still here" };
  write({
    method: "run.result",
    params: { channel: params.channel, result: { type: "message.completed", data: { message } } },
  });
  return setTimeout(() => write({ id, result: {} }), 100);
});
