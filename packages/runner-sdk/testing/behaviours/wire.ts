import { writeSync } from "node:fs";
import { createInterface } from "node:readline";

export interface Run {
  channel: string;
  runId: string;
  cancelled: PromiseWithResolvers<void>;
}

interface Answer {
  id: number;
  result?: unknown;
  error?: { message: string; data?: { code?: string } };
}

const waiting = new Map<number, (answer: Answer) => void>();
let calls = 0;

/** Writes all of it, also where the reader is slow. */
export function writeRaw(fd: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}

/** Texts of a WebSocket take the place of lines where the host has given an address. */
let socket: WebSocket | null = null;

export function writeOut(text: string): void {
  if (socket) socket.send(text);
  else writeRaw(1, text);
}

export function post(message: object): void {
  writeOut(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/** The messages of the host, until it has gone. */
export async function* readMessages(): AsyncGenerator<string> {
  const { DRYDOCK_RUNNER_URL: url, DRYDOCK_RUNNER_TOKEN: token } = process.env;
  if (!url) yield* createInterface({ input: process.stdin });
  else {
    type Open = new (url: string, options: { headers: Record<string, string> }) => WebSocket;
    const open = new (WebSocket as unknown as Open)(url, { headers: { authorization: `Bearer ${token}` } });
    const waiting: string[] = [];
    let wake = () => {};
    let isClosed = false;
    const tell = (change: () => void) => {
      change();
      wake();
    };
    open.addEventListener("message", ({ data }) => tell(() => waiting.push(String(data))));
    for (const end of ["close", "error"]) open.addEventListener(end, () => tell(() => (isClosed = true)));
    socket = open;
    while (!isClosed || waiting.length > 0) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
}

export function send({ channel }: Pick<Run, "channel">, result: unknown): void {
  post({ method: "run.result", params: { channel, result } });
}

export function say(run: Run, content: string): void {
  send(run, { type: "message.completed", data: { message: { role: "assistant", content } } });
}

export function take(answer: Answer): void {
  waiting.get(answer.id)?.(answer);
  waiting.delete(answer.id);
}

/** The result of a call, or `{ refused: code }`. */
export async function call(method: string, params: object): Promise<unknown> {
  const id = ++calls;
  const answer = await new Promise<Answer>((resolve) => {
    waiting.set(id, resolve);
    post({ id, method, params });
  });
  return answer.error ? { refused: answer.error.data?.code ?? answer.error.message } : answer.result;
}
