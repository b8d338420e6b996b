import { createHash } from "node:crypto";
import { HttpProblem } from "../guard/http-problem.ts";
import { createClaims } from "./claims.ts";

interface Answer {
  status: number;
  type: string;
  text: string;
}

interface Kept {
  fingerprint: string;
  answer: Promise<Answer>;
  atMs: number;
  chars: number;
}

export interface Idempotency {
  /** Carries `act` out once for a key; who asks again with the same request gets the same answer. */
  once(key: string, request: { name: string; text: string }, act: () => Promise<Response>): Promise<Response>;
}

const KEEP_MS = 24 * 60 * 60 * 1000;
const MAX_KEPT = 10_000;
const MAX_CHARS = 64 * 1024 * 1024;
const MAX_KEY_CHARS = 255;

/**
 * Answers by the key that the caller chose for a request, so that a request that is sent again is not done again. They
 * are kept in memory; that a key was used is known after a new start as well, from `directory`.
 */
export function createIdempotency(directory: string, now: () => number = Date.now): Idempotency {
  const claims = createClaims(directory, KEEP_MS, now);
  const kept = new Map<string, Kept>();
  let chars = 0;

  function forget(key: string): void {
    chars -= kept.get(key)?.chars ?? 0;
    kept.delete(key);
  }

  function makeRoom(): void {
    for (const [key, { atMs }] of kept) {
      if (kept.size < MAX_KEPT && chars < MAX_CHARS && now() - atMs < KEEP_MS) return;
      forget(key);
    }
  }

  return {
    async once(key, { name, text }, act) {
      if (key === "" || key.length > MAX_KEY_CHARS) {
        throw new HttpProblem(400, {
          message: `An Idempotency-Key has 1 to ${MAX_KEY_CHARS} characters.`,
          hint: "Use a random id, such as a UUID.",
        });
      }
      const fingerprint = createHash("sha256").update(`${name}\n${text}`).digest("hex");
      const found = kept.get(key);
      if (found && found.fingerprint !== fingerprint) {
        throw usedForAnother();
      }
      if (found) return write(await found.answer, true);
      makeRoom();
      const answer = claims.take(key, fingerprint).then(async (earlier) => {
        if (earlier) throw usedBefore(earlier, fingerprint);
        return read(await act());
      });
      const entry: Kept = { fingerprint, answer, atMs: now(), chars: 0 };
      kept.set(key, entry);
      try {
        const { status, text: body } = await answer;
        // What went wrong on this side, or was refused for being too much, may go well the next time.
        if (status >= 500 || status === 429) {
          forget(key);
          await claims.release(key);
        } else {
          entry.chars = body.length;
          chars += body.length;
          await claims.settle(key, fingerprint, findRunId(body));
        }
        return write(await answer, false);
      } catch (error) {
        forget(key);
        throw error;
      }
    },
  };
}

async function read(response: Response): Promise<Answer> {
  const type = response.headers.get("content-type") ?? "application/json";
  return { status: response.status, type, text: await response.text() };
}

function write({ status, type, text }: Answer, isRepeated: boolean): Response {
  const headers = { "content-type": type, ...(isRepeated ? { "idempotency-replayed": "true" } : {}) };
  return new Response(text, { status, headers });
}

function usedForAnother(): HttpProblem {
  const message = "This Idempotency-Key was used for another request.";
  return new HttpProblem(409, { message, hint: "Use a new key for each new request." });
}

function usedBefore(
  { fingerprint, runId }: { fingerprint: string; runId: string | null },
  currentFingerprint: string,
): HttpProblem {
  if (fingerprint !== currentFingerprint) return usedForAnother();
  return new HttpProblem(409, {
    message: "This request was made before the server restarted, and is not repeated.",
    hint: runId === null ? "GET /runs shows what became of it." : `GET /runs/${runId} shows what became of it.`,
    data: runId === null ? {} : { runId },
  });
}

function findRunId(text: string): string | null {
  try {
    const { runId, id } = Object(JSON.parse(text)) as { runId?: unknown; id?: unknown };
    return (
      ([runId, id].find((each) => typeof each === "string" && each.startsWith("run_")) as string | undefined) ?? null
    );
  } catch {
    return null;
  }
}
