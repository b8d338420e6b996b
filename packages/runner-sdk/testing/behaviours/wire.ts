import { writeSync } from "node:fs";

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

export function post(message: object): void {
  writeRaw(1, `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
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
