/** A plugin that speaks the protocol by hand, so that it can also break it. `--list` prints the names of its behaviours. */
import { BEHAVIOURS } from "./behaviours.ts";
import { post, type Run, readMessages, take, writeOut } from "./wire.ts";

/** `--name NAME`: a plugin of its own, so that several can be tried at once. `--start WORD`: how it begins. */
const option = (name: string) => process.argv[process.argv.indexOf(name) + 1 || process.argv.length];
const plugin = option("--name") ?? "behaviours";
const start = option("--start");
const manifest = {
  id: `plugin:drydock-test/${plugin}/behave`,
  name: "behave",
  label: { en_US: "Behave" },
  capabilities: { streaming: true, interrupt: true, steering: true, tool_calling: true, knowledge_retrieval: true },
  permissions: {
    models: ["invoke", "stream", "rerank"],
    tools: ["detail", "call"],
    knowledge_bases: ["list", "retrieve"],
    history: ["page", "search"],
    events: ["get", "page"],
    artifacts: ["metadata", "read"],
    storage: ["plugin", "workspace"],
    files: ["config", "knowledge"],
  },
};
const discovery = {
  plugin_author: "drydock-test",
  plugin_name: start === "lie" ? "echo" : plugin,
  runner_name: "behave",
  manifest,
};

interface Request {
  id?: number;
  method?: string;
  params: { channel: string; context: { run_id: string; input: { text?: string } } };
}

const runs = new Map<string, Run>();

async function run({ id, params: { channel, context } }: Request): Promise<void> {
  const [name = "", ...words] = (context.input.text ?? "").split(" ");
  const here: Run = { channel, runId: context.run_id, cancelled: Promise.withResolvers<void>() };
  runs.set(channel, here);
  const behave = BEHAVIOURS[name];
  if (behave) await behave(here, words.join(" "));
  else post({ id, error: { code: -32602, message: `There is no behaviour ${name}.` } });
  runs.delete(channel);
  if (behave) post({ id, result: {} });
}

if (process.argv.includes("--list")) {
  console.log(JSON.stringify(Object.keys(BEHAVIOURS).sort()));
} else {
  if (start === "exit") process.exit(5);
  if (start === "garbage") writeOut("Welcome!\n");
  for await (const line of readMessages()) {
    const message = JSON.parse(line) as Request;
    const { id, method, params } = message;
    if (method === undefined) take(message as never);
    else if (method === "initialize" && start === "mute") continue;
    else if (method === "ping" && start === "deaf") continue;
    else if (method === "initialize") post({ id, result: { protocol_version: "1", runners: [discovery] } });
    else if (method === "runner.run") void run(message);
    else if (method === "run.cancel") runs.get(params.channel)?.cancelled.resolve();
    else if (method === "ping") post({ id, result: {} });
    else if (method === "shutdown") {
      if (id !== undefined) post({ id, result: {} });
      process.exit(0);
    }
  }
  process.exit(0);
}
