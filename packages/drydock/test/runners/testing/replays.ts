import type { Replay, ServiceRequest } from "./start-service-server.ts";

/*
 * What each service does with a message, as its documentation describes it (docs/guides/official-runners.md has the pages).
 * The message says what is to happen: `hello` is answered with "Hello there", `fail` with an error of the service, `refuse`
 * with the status 401, `sleep` never, and `nothing` with an answer without a word.
 */
type Json = Record<string, unknown>;

const KEY = "key-0123456789";
export const SERVICE_KEY = KEY;

const wordOf = (text: unknown) =>
  /\b(hello|fail|refuse|sleep|nothing)\b/.exec(String(text).replaceAll("\\n", " "))?.[1] ?? "hello";
const pieces = (word: string) => (word === "nothing" ? [""] : ["Hello ", "there"]);
const whole = (word: string) => pieces(word).join("");
const isFor = ({ raw }: ServiceRequest, word: string) => wordOf(raw) === word;

/** Refuses what has no key, and what is to be refused; never answers `sleep`. */
const guard =
  (key: (headers: ServiceRequest["headers"]) => unknown, expected: string, replay: Replay): Replay =>
  (request, answer) => {
    if (key(request.headers) !== expected) return answer.status(401, { message: `the key ${KEY} is wrong` });
    if (isFor(request, "refuse")) return answer.status(401, { message: `not with the key ${KEY}` });
    return isFor(request, "sleep") ? null : replay(request, answer);
  };
const bearer = (replay: Replay) => guard(({ authorization }) => authorization, `Bearer ${KEY}`, replay);
const apiKey = (replay: Replay) => guard((headers) => headers["x-api-key"], KEY, replay);

const dify = bearer(({ path, body, raw }, answer) => {
  if (path === "/v1/files/upload") return raw.includes('name="user"\r\n\r\nuser_ann') ? { id: "file-1" } : {};
  if (body.conversation_id === "gone")
    return answer.status(404, { code: "not_found", message: "Conversation Not Exists." });
  const conversation_id = raw.includes("forgotten") ? "gone" : "dify-1";
  const ids = { conversation_id, message_id: "m", task_id: "t" };
  const usage = { prompt_tokens: 3, completion_tokens: 2 };
  if (path === "/v1/workflows/run") {
    const word = wordOf(Object(body.inputs).query);
    const failed = word === "fail";
    const data = {
      status: failed ? "failed" : "succeeded",
      error: failed ? "node failed" : null,
      outputs: { text: whole(word) },
    };
    if (body.response_mode === "blocking") return { workflow_run_id: "w", data };
    const paused = { event: "workflow_paused", data: { reasons: [{ form_content: "Send it?" }] } };
    if (raw.includes("pause")) return answer.events({ event: "workflow_started" }, paused);
    return answer.events({ event: "text_chunk", data: { text: whole(word) } }, { event: "workflow_finished", data });
  }
  const word = wordOf(body.query);
  if (word === "fail" && body.response_mode === "blocking")
    return answer.status(400, { code: "app_unavailable", message: "App unavailable" });
  if (body.response_mode === "blocking") return { event: "message", answer: whole(word), ...ids, metadata: { usage } };
  if (word === "fail")
    return answer.events({ event: "error", status: 400, code: "provider_quota_exceeded", message: "quota" });
  const event = raw.includes("as an agent") ? "agent_message" : "message";
  const said = pieces(word).map((text) => ({ event, answer: text, ...ids }));
  const closing = event === "agent_message" ? [{ event: "message", answer: whole(word), ...ids }] : [];
  return answer.events({ event: "ping" }, ...said, ...closing, { event: "message_end", ...ids, metadata: { usage } });
});

const n8n = guard(
  ({ authorization }) => authorization,
  `Basic ${Buffer.from(`bot:${KEY}`).toString("base64")}`,
  ({ path, body, raw }, answer) => {
    const word = wordOf(body.chatInput ?? raw);
    if (path === "/webhook/plain") return word === "fail" ? { odd: 1 } : [{ output: whole(word) }];
    const lines = [
      { type: "begin", metadata: { nodeId: "n" } },
      ...pieces(word).map((content) => ({ type: "item", content })),
    ];
    const end = word === "fail" ? { type: "error", content: "node failed" } : { type: "end" };
    return answer.stream([...lines, end].map((line) => `${JSON.stringify(line)}\n`).join(""), "application/json");
  },
);

const langflow = apiKey(({ path, query, body }, answer) => {
  if (path.startsWith("/api/v1/files/upload/")) return { flowId: "flow", file_path: "flow/a.png" };
  const word = wordOf(body.input_value);
  const result = {
    session_id: body.session_id,
    outputs: [{ outputs: [{ results: { message: { text: whole(word) } } }] }],
  };
  if (query.get("stream") === "false")
    return word === "fail" ? answer.status(500, { detail: "Error building Component" }) : result;
  const tokens = pieces(word).map((chunk) => ({ event: "token", data: { chunk } }));
  const end =
    word === "fail" ? { event: "error", data: { error: "Component failed" } } : { event: "end", data: { result } };
  return answer.stream(
    [{ event: "add_message", data: {} }, ...tokens, end].map((line) => `${JSON.stringify(line)}\n\n`).join(""),
    "text/event-stream",
  );
});

const coze = bearer(({ path, body, query, raw }, answer) => {
  if (path === "/v1/files/upload") return { code: 0, data: { id: "file-7" } };
  const chat = { id: "chat-1", conversation_id: "coze-1", status: "in_progress" };
  const usage = { token_count: 5, input_count: 3, output_count: 2 };
  if (path === "/v3/chat/retrieve") return { code: 0, data: { ...chat, status: "completed", usage } };
  if (path === "/v3/chat/message/list") {
    const verbose = { type: "verbose", content: "{}" };
    return {
      code: 0,
      data: [{ type: "answer", content: whole(query.get("chat_id") === "chat-2" ? "nothing" : "hello") }, verbose],
    };
  }
  const word = wordOf(raw);
  if (word === "fail") return { code: 4000, msg: "Request parameter error" };
  if (body.stream !== true) return { code: 0, data: word === "nothing" ? { ...chat, id: "chat-2" } : chat };
  const said = pieces(word).map((content) => [
    "conversation.message.delta",
    { type: "answer", content, conversation_id: "coze-1" },
  ]);
  const thought = ["conversation.message.delta", { type: "verbose", content: "not shown" }];
  return answer.events(
    ["conversation.chat.created", chat],
    thought,
    ...said,
    ["conversation.chat.completed", { ...chat, usage }],
    ["done", "[DONE]"],
  );
});

const dashscope = bearer(({ headers, body }, answer) => {
  const word = wordOf(Object(body.input).prompt);
  const usage = { models: [{ input_tokens: 3, output_tokens: 2 }] };
  const doc_references = [{ index_id: "1", doc_name: "yard.pdf" }];
  const error = { code: "InvalidParameter", message: "wrong app", request_id: "r" };
  if (headers["x-dashscope-sse"] !== "enable")
    return word === "fail"
      ? answer.status(400, error)
      : { output: { text: whole(word), session_id: "dash-1", doc_references }, usage };
  if (word === "fail") return answer.events(["error", error]);
  const said = pieces(word).map((text) => ["result", { output: { text, session_id: "dash-1" }, usage }]);
  return answer.events(...said, ["result", { output: { text: "", finish_reason: "stop", doc_references }, usage }]);
});

const tbox = guard(
  ({ authorization }) => authorization,
  KEY,
  ({ path, body }, answer) => {
    if (path === "/api/file/upload") return { errorCode: "0", data: "tfile-1" };
    const word = wordOf(body.query);
    const id = { conversationId: "tbox-1" };
    if (body.stream !== true)
      return word === "fail"
        ? { errorCode: "503", errorMsg: "busy" }
        : { errorCode: "0", data: { ...id, result: [{ chunk: whole(word) }] } };
    if (word === "fail") return answer.events(["error", { errorCode: "503", errorMsg: "busy" }]);
    const said = pieces(word).map((text) => ["message", { type: "chunk", lane: "default", payload: { ...id, text } }]);
    return answer.events(
      ["message", { type: "meta", payload: id }],
      ["message", { type: "thinking", payload: "{}" }],
      ...said,
      ["message", { type: "end" }],
    );
  },
);

const deerflow = bearer(({ path, raw }, answer) => {
  if (path === "/api/langgraph/threads") return { thread_id: "thread-1" };
  const word = wordOf(raw);
  const failure = { type: "task_failed", task_id: "t1", error: "no sources" };
  if (word === "fail") return answer.stream(`event: custom\r\ndata: ${JSON.stringify(failure)}\r\n\r\n`);
  const old = { id: "m0", type: "ai", content: "an old answer" };
  const answers = [old, { id: "m1", type: "ai", content: whole(word) }];
  const clarification = { id: "m2", type: "tool", name: "ask_clarification", content: "Which yard?" };
  const ends = raw.includes("unclear") ? [...answers, clarification] : answers;
  const tuples = pieces(word).map(
    (content) =>
      `event: messages-tuple\r\ndata: ${JSON.stringify({ type: "AIMessageChunk", content })}\r\ndata: {"n":1}\r\n\r\n`,
  );
  const values = (messages: Json[]) => `event: values\r\ndata: ${JSON.stringify({ messages })}\r\n\r\n`;
  return answer.stream([values([old]), ...tuples, values(ends)].join(""));
});

const weknora = apiKey(({ path, body }, answer) => {
  if (path === "/api/v1/sessions") return { success: true, data: { id: "wk-1" } };
  const word = wordOf(body.query);
  if (word === "fail") return answer.events(["message", { response_type: "error", content: "no model" }]);
  const references = {
    response_type: "references",
    content: "",
    knowledge_references: [{ knowledge_title: "yard.txt" }],
  };
  const said = pieces(word).map((content) => ["message", { response_type: "answer", content, done: false }]);
  return answer.events(["message", { response_type: "thinking", content: "hm" }], ["message", references], ...said, [
    "message",
    { response_type: "answer", content: "", done: true },
  ]);
});

const log: Json[] = [];
const messages: Json[] = [];
const litellm = bearer(({ method, path, body, raw }) => {
  if (path === "/v1/sessions" || path === "/session") return { id: path === "/session" ? "plat-1" : "lite-1" };
  const word = wordOf(raw);
  if (path.endsWith("/events") && method === "GET") return { data: log };
  if (path.endsWith("/events")) {
    const said = { type: "agent.message", content: [{ type: "text", text: whole(word) }] };
    log.push({ type: "user.message" }, { type: "session.status_running" }, { type: "agent.tool_use" });
    if (word === "fail") log.push({ type: "session.status_error", error: { message: "harness died" } });
    else log.push(said, { type: "session.status_idle" });
    return { ok: true };
  }
  if (method === "GET") return messages;
  if (word === "fail") return { error: { message: "harness died" } };
  messages.push(
    { info: { role: "user" }, parts: body.parts },
    { info: { role: "assistant" }, parts: [{ type: "text", text: whole(word) }] },
  );
  return {};
});

export const REPLAYS: Readonly<Record<string, Replay>> = {
  ...{ dify, n8n, langflow, coze, dashscope, tbox, deerflow, weknora, "litellm-agent-platform": litellm },
};
