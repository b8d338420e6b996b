import { DrydockError } from "@drydock/protocol";
import {
  createLineReader,
  GATEWAY_PORT,
  isRequest,
  isResponse,
  type Message,
  parseMessage,
} from "../../../base/agent-protocol/index.ts";

/*
 * What is said between a runner and the agent that it drives. The host stands between the two: it answers permissions and
 * calls of the gateway itself, says which directory and which MCP servers a session has, and passes on everything else.
 */
export interface AgentTalk {
  /** Text of the agent's standard output. */
  hear(text: string): void;
  /** A message of the runner. */
  send(line: string): void;
  read(): Promise<{ messages: string[]; ended: string | null }>;
  /** Tells the agent to stop its turn. Resolves when it has. */
  cancel(): Promise<void>;
  end(reason: string): void;
}

export interface AgentTalkOptions {
  /** Writes a line to the agent. */
  write(line: string): void;
  gateway: { url: string; token: string } | null;
  /** The agent does not keep to the protocol, and has to be ended. */
  onFault(reason: string): void;
  /** The answer to a request for permission. */
  decide(params: Message["params"]): Promise<object>;
}

/** What a runner may ask of an agent. A mode of permissions, for one, is not for it to set. */
const METHODS = [
  ...["initialize", "authenticate", "session/new", "session/load", "session/resume", "session/prompt"],
  ...["session/cancel", "session/close"],
];
const OPENING = ["session/new", "session/load", "session/resume"];
const BATCH_CHARS = 1024 * 1024;
/** What waits for the runner. An agent that is so far ahead would fill the memory of the host. */
const MAX_WAITING_CHARS = 32 * 1024 * 1024;
const MAX_MESSAGE_CHARS = 4 * 1024 * 1024;
const GATEWAY_MS = 120_000;

export function createAgentTalk({ write, gateway, onFault, decide }: AgentTalkOptions): AgentTalk {
  const waiting: string[] = [];
  let waitingChars = 0;
  let ended: string | null = null;
  let change = Promise.withResolvers<void>();
  let takesHttp = false;
  let turn: { id: Message["id"]; sessionId: unknown; over: PromiseWithResolvers<void> } | null = null;
  let initializeId: Message["id"];

  const tell = (message: object) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const notify = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const fault = (reason: string) => {
    if (ended === null) onFault(reason);
  };

  const servers = () =>
    gateway && takesHttp
      ? [
          {
            ...{ type: "http", name: "drydock", url: `http://127.0.0.1:${GATEWAY_PORT}/mcp` },
            headers: [{ name: "Authorization", value: `Bearer ${gateway.token}` }],
          },
        ]
      : [];

  const take = (line: string) => {
    if (line.length > MAX_MESSAGE_CHARS) return fault("it sent a message of more than 4 MB");
    const message = parseMessage(line);
    if (!message || ended !== null) return;
    const { id, method, params } = message;
    if (isRequest(message) && method === "session/request_permission") {
      void decide(params).then((result) => tell({ id, result }));
      return;
    }
    if (isRequest(message) && method === "_drydock/mcp") {
      void callGateway(gateway, params).then((result) => tell({ id, result }));
      return;
    }
    if (isResponse(message) && id === initializeId) {
      takesHttp = Object(Object(Object(message.result).agentCapabilities).mcpCapabilities).http === true;
    }
    if (isResponse(message) && turn && id === turn.id) {
      turn.over.resolve();
      turn = null;
    }
    waiting.push(line);
    waitingChars += line.length;
    if (waitingChars > MAX_WAITING_CHARS) fault("it writes faster than its runner can read");
    notify();
  };
  const readLines = createLineReader(take);

  return {
    hear(text) {
      try {
        readLines(text);
      } catch {
        fault("it sent a message that does not end");
      }
    },
    send(line) {
      const message = parseMessage(line);
      if (!message) throw refuse("It is no JSON-RPC message.");
      if (ended !== null) throw new DrydockError("runner.failed", `The agent has ended: ${ended}`, "");
      const { id, method, params } = message;
      if (method !== undefined && !METHODS.includes(method)) throw refuse(`A runner can't ask an agent for ${method}.`);
      if (method === "initialize") {
        initializeId = id;
        // Files and terminals that it asks for are those of the sandbox.
        const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };
        return tell({ ...message, params: { ...params, clientCapabilities } });
      }
      if (method !== undefined && OPENING.includes(method)) {
        return tell({ ...message, params: { ...params, cwd: "/work", mcpServers: servers() } });
      }
      if (method === "session/prompt") {
        if (turn) throw refuse("A turn is under way: one at a time.");
        turn = { id, sessionId: params?.sessionId, over: Promise.withResolvers() };
      }
      tell(message);
    },
    async read() {
      while (waiting.length === 0 && ended === null) await change.promise;
      const messages: string[] = [];
      for (let chars = 0; waiting.length > 0 && chars < BATCH_CHARS; ) {
        const line = waiting.shift() ?? "";
        chars += line.length;
        messages.push(line);
      }
      waitingChars -= messages.reduce((sum, { length }) => sum + length, 0);
      return { messages, ended: waiting.length === 0 ? ended : null };
    },
    async cancel() {
      if (!turn || ended !== null) return;
      const { sessionId, over } = turn;
      tell({ method: "session/cancel", params: { sessionId } });
      await over.promise;
    },
    end(reason) {
      ended ??= reason;
      turn?.over.resolve();
      notify();
    },
  };
}

/** A request to the gateway that an agent made on the sandbox's loopback. Only the run's own address is reached. */
async function callGateway(gateway: AgentTalkOptions["gateway"], params: Message["params"]): Promise<object> {
  const { headers, body } = Object(params);
  try {
    if (!gateway) throw new Error("this run has no gateway");
    const response = await fetch(gateway.url, {
      ...{ method: "POST", redirect: "error", signal: AbortSignal.timeout(GATEWAY_MS) },
      headers: new Headers(Object.entries(Object(headers)).map(([name, value]) => [name, String(value)])),
      body: String(body),
    });
    const kept = ["content-type", "mcp-session-id"].flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return { status: response.status, headers: Object.fromEntries(kept), body: await response.text() };
  } catch {
    return { status: 502, headers: {}, body: "" };
  }
}

function refuse(message: string): DrydockError {
  return new DrydockError("input.invalid", message, `It may ask for: ${METHODS.join(", ")}.`);
}
