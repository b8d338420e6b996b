import type { Frame } from "./frames.ts";

export interface Line {
  post(form: FormData): Promise<string>;
  load(id: string): Promise<Blob>;
  stop(): void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
const GONE = 1008;

/**
 * The connection to the server. It is made again when it breaks: the server then says first what was said so far. Messages
 * go by requests of their own, whose ids make it safe to send them twice.
 */
export function openLine(
  base: string,
  on: { frame(frame: Frame): void; state(state: "open" | "closed" | "gone"): void },
): Line {
  const key = `drydock-visitor ${base}`;
  let visitor = read(key);
  let pauseMs = FIRST_PAUSE_MS;
  let socket: WebSocket | null = null;

  const connect = () => {
    const protocols = ["drydock.v1", ...(visitor === null ? [] : [`visitor.${visitor}`])];
    socket = new WebSocket(`${base.replace(/^http/, "ws")}/socket`, protocols);
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(String(data)) as Frame;
      if (frame.type === "ready") {
        pauseMs = FIRST_PAUSE_MS;
        visitor = frame.visitor;
        write(key, visitor);
        on.state("open");
      }
      on.frame(frame);
    };
    socket.onclose = ({ code }) => {
      on.state(code === GONE ? "gone" : "closed");
      setTimeout(connect, pauseMs);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    };
  };
  connect();
  const headers = () => ({ "drydock-visitor": visitor ?? "" });
  return {
    async post(body) {
      const answer = await fetch(`${base}/messages`, { method: "POST", headers: headers(), body });
      const { eventId, error } = (await answer.json()) as { eventId?: string; error?: string };
      if (eventId === undefined) throw new Error(typeof error === "string" ? error : "");
      return eventId;
    },
    async load(id) {
      const answer = await fetch(`${base}/files/${encodeURIComponent(id)}`, { headers: headers() });
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.blob();
    },
    stop: () => socket?.send(JSON.stringify({ type: "stop" })),
  };
}

/** A browser may keep nothing for a page in a frame: the visitor is then a new one each time. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Said above.
  }
}
