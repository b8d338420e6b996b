// The message is JSON: `calls` are made one after the other, `results` are sent, and the answers are the reply.
import { createInterface } from "node:readline";

const ALL = {
  models: ["invoke", "stream", "rerank"],
  tools: ["detail", "call"],
  knowledge_bases: ["list", "retrieve"],
  history: ["page", "search"],
  events: ["get", "page"],
  artifacts: ["metadata", "read"],
  storage: ["plugin", "workspace"],
  files: ["config", "knowledge"],
};
const capabilities = {
  streaming: true,
  tool_calling: true,
  knowledge_retrieval: true,
  steering: true,
  skill_authoring: true,
  interrupt: true,
};
const prompt = { name: "prompt", type: "prompt-editor", default: [{ role: "system", content: "Be brief." }] };
const runner = (name, more) => ({
  plugin_author: "test",
  plugin_name: "caller",
  runner_name: name,
  manifest: { id: `plugin:test/caller/${name}`, name, label: { en: name }, config_schema: [prompt], ...more },
});
const RUNNERS = [
  runner("all", { capabilities, permissions: ALL }),
  runner("nothing", {}),
  runner("reader", { capabilities: { tool_calling: true }, permissions: { tools: ["detail"] } }),
];

const waiting = new Map();
let nextId = 1;
const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

function call(method, params) {
  const id = nextId++;
  write({ id, method, params });
  return new Promise((resolve) =>
    waiting.set(id, ({ result, error }) => resolve(error ? { error: error.data } : result)),
  );
}

async function pullUntilSteered(run_id) {
  for (let round = 0; round < 200; round++) {
    const { items } = await call("steering_pull", { run_id });
    if (items.length > 0) return items.map(({ input }) => input.text);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return [];
}

/** Results of a type that nobody knows. */
const flood = (count) => Array.from({ length: count }, () => ["odd", {}]);

/** How many items each page of the history has, from its end to its beginning. */
async function readPages(run_id) {
  const pages = [];
  for (let before_cursor; before_cursor !== null; ) {
    const page = await call("history_page", { run_id, before_cursor, limit: 100 });
    pages.push({ items: page.items.length, bytes: JSON.stringify(page.items).length });
    before_cursor = page.next_cursor;
  }
  return pages;
}

async function run({ id, params: { channel, context } }) {
  const send = (type, data) => write({ method: "run.result", params: { channel, result: { type, data } } });
  const { run_id } = context;
  const {
    calls = [],
    atOnce = [],
    results = [],
    pull = false,
    gate = null,
    paged = false,
    odd = 0,
  } = JSON.parse(context.input.text);
  const answers = [];
  for (const [type, data] of [...results, ...flood(odd)]) send(type, data);
  // What only the run itself knows.
  const own = { ARTIFACT: context.input.attachments?.[0]?.artifact_id, EVENT: context.event.event_id };
  const fill = (params = {}) =>
    Object.fromEntries(Object.entries(params).map(([name, value]) => [name, own[value] ?? value]));
  for (const [method, params] of calls) answers.push(await call(method, { run_id, ...fill(params) }));
  const codes = (await Promise.all(atOnce.map(([method, params]) => call(method, { run_id, ...params })))).map(
    ({ error }) => error?.code ?? "ok",
  );
  // Waits until the test has changed something: the gate is a key of the state.
  while (gate && (await call("state_get", { run_id, scope: "conversation", key: gate })).value === null)
    await new Promise((resolve) => setTimeout(resolve, 30));
  const steered = pull ? await pullUntilSteered(run_id) : [];
  const pages = paged ? await readPages(run_id) : [];
  const content = JSON.stringify({
    answers,
    codes,
    pages,
    stateKeys: Object.keys(context.state.actor),
    steered,
    runId: run_id,
    resources: context.resources,
  });
  send("message.completed", { message: { role: "assistant", content } });
  write({ id, result: {} });
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.method === undefined) waiting.get(message.id)?.(message);
  else if (message.method === "initialize")
    write({ id: message.id, result: { protocol_version: "1", runners: RUNNERS } });
  else if (message.method === "runner.run") void run(message);
  else if (message.method === "ping") write({ id: message.id, result: {} });
}
