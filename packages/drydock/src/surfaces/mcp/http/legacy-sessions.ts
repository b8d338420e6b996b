import { randomUUID } from "node:crypto";
import { type McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { createEventStore } from "./event-store.ts";
import { refuseRequest } from "./refuse-request.ts";

interface LegacySession {
  transport: WebStandardStreamableHTTPServerTransport;
  lastUsedAt: number;
  /** Open response streams: a session with one is not idle. */
  streams: number;
}

export interface LegacySessions {
  handle(request: Request): Promise<Response>;
  close(): Promise<void>;
}

interface LegacyOptions {
  maxSessions: number;
  idleMs: number;
  maxRequestBytes: number;
}

/**
 * Clients of the revisions before 2026-07-28 begin with a handshake and are known by an id from then on: cancelling and
 * taking up a broken stream need that. One that is not heard of any more is forgotten; at the limit the one that has
 * been silent longest has to go.
 */
export function createLegacySessions(
  createServer: () => McpServer | Promise<McpServer>,
  options: LegacyOptions,
): LegacySessions {
  const sessions = new Map<string, LegacySession>();
  const sweep = setInterval(
    () => {
      const before = Date.now() - options.idleMs;
      for (const [id, session] of sessions) if (session.streams === 0 && session.lastUsedAt < before) drop(id);
    },
    Math.min(options.idleMs, 60_000),
  ).unref();

  function drop(id: string): void {
    const session = sessions.get(id);
    sessions.delete(id);
    session?.transport.close().catch(() => {});
  }

  /** False where everybody is at work. */
  function makeRoom(): boolean {
    if (sessions.size < options.maxSessions) return true;
    const idle = [...sessions].filter(([, { streams }]) => streams === 0);
    const oldest = idle.reduce<(typeof idle)[number] | undefined>(
      (a, b) => (a && a[1].lastUsedAt <= b[1].lastUsedAt ? a : b),
      undefined,
    );
    if (oldest) drop(oldest[0]);
    return oldest !== undefined;
  }

  async function open(request: Request): Promise<Response> {
    if (!makeRoom()) return refuseRequest(503, "Too many clients are connected. Try again later.");
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore(),
      retryInterval: 1000,
      maxRequestBodySize: options.maxRequestBytes,
      onsessioninitialized: (id) => {
        sessions.set(id, { transport, lastUsedAt: Date.now(), streams: 0 });
      },
      onsessionclosed: (id) => {
        sessions.delete(id);
      },
    });
    await (await createServer()).connect(transport);
    const response = await transport.handleRequest(request);
    // What was no handshake opened nothing.
    if (transport.sessionId === undefined) await transport.close();
    return response;
  }

  return {
    async handle(request) {
      const id = request.headers.get("mcp-session-id");
      if (id === null) return open(request);
      const session = sessions.get(id);
      if (!session) return refuseRequest(404, "This MCP session is not known, or has ended. Start a new one.", -32001);
      session.lastUsedAt = Date.now();
      session.streams++;
      const done = () => {
        session.streams--;
        session.lastUsedAt = Date.now();
      };
      try {
        return whenRead(await session.transport.handleRequest(request), done);
      } catch (error) {
        done();
        throw error;
      }
    },
    async close() {
      clearInterval(sweep);
      await Promise.allSettled([...sessions.values()].map(({ transport }) => transport.close()));
      sessions.clear();
    },
  };
}

/** Calls back once the response has been read to its end, or its reader is gone. */
function whenRead(response: Response, done: () => void): Response {
  if (!response.body) {
    done();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done: ended } = await reader.read();
        if (!ended) return controller.enqueue(value);
        done();
        controller.close();
      } catch (error) {
        done();
        controller.error(error);
      }
    },
    async cancel(reason) {
      done();
      await reader.cancel(reason);
    },
  });
  return new Response(body, response);
}
