import type { Witness } from "./load-evidence.ts";
import type { LoadServer } from "./load-server.ts";
import { readEvents } from "./open-test-server.ts";

const STREAM = { accept: "text/event-stream" };
const ENDED = ["succeeded"] as const;
/** Where part of the sandbox is killed under it, a run fails; it is on record all the same. */
const ENDED_SOMEHOW = ["succeeded", "failed"] as const;
const KEYS = 200;

export type Deed = () => Promise<void>;

/** What callers do who mean well. Each answer is held against what was asked. */
export function listDeeds(server: LoadServer, witness: Witness): Deed[] {
  const { call, expect, acknowledge } = witness;
  const answers = new Map<string, unknown>();
  let number = 0;

  const start = async (body: Record<string, unknown>) => {
    const started = await call("POST", "/runs", body);
    expect(started, [202]);
    const id = String(started.value.id);
    acknowledge(id, ENDED_SOMEHOW);
    return id;
  };
  const follow = async (id: string, from: number[] = []): Promise<number[]> => {
    const last = from.at(-1);
    const headers = last === undefined ? STREAM : { ...STREAM, "last-event-id": String(last) };
    const followed = await call("GET", `/runs/${id}/events`, undefined, headers);
    expect(followed, [200, 204]);
    return [...from, ...readEvents(followed.text).map((event) => Number(event.id))];
  };
  const checkFollowed = (id: string, numbers: readonly number[]) => {
    if (numbers.some((each, index) => each !== index)) witness.complain(`followed ${id}: ${numbers.join(" ")}`);
    witness.evidence.followed.set(id, numbers.length);
  };

  return [
    async () => {
      const own = ++number;
      const answer = await call("POST", "/execute", { code: `print(${own})` });
      expect(answer, [200], ({ ok, stdout }) => ok === true && stdout === `${own}\n`);
      acknowledge(answer.value.runId, witness.isExcused(answer) ? ENDED_SOMEHOW : ENDED);
    },
    async () => {
      const answer = await call("POST", "/execute", { code: "raise SystemExit(3)" });
      expect(answer, [200], ({ error }) => Object(error).exitCode === 3);
      acknowledge(answer.value.runId, ["failed"]);
    },
    async () => expect(await call("GET", "/runs?limit=20"), [200], ({ runs }) => Array.isArray(runs)),
    async () => {
      const opened = await call("POST", "/sessions", {});
      expect(opened, [201]);
      const { sessionId } = opened.value;
      if (sessionId === undefined) return;
      const { sinceMs } = opened;
      const exec = async (code: string) => ({
        ...(await call("POST", `/sessions/${sessionId}/exec`, { code })),
        sinceMs,
      });
      const own = ++number;
      expect(await exec(`x = ${own}`), [200]);
      expect(await exec("x = 0\n1/0"), [200], ({ error }) => Object(error).code === "code.exception");
      expect(await exec("x"), [200], ({ result }) => result === own);
      expect({ ...(await call("DELETE", `/sessions/${sessionId}`)), sinceMs }, [200]);
    },
    async () => {
      const id = await start({ kind: "exec", code: "print('x' * 1000)\nopen('f', 'w').write('kept')" });
      checkFollowed(id, await follow(id));
      const { value } = await call("GET", `/runs/${id}/artifacts`);
      for (const artifact of (value.artifacts as { id: string }[] | undefined) ?? []) {
        const read = await call("GET", `/artifacts/${artifact.id}`, undefined, { range: "bytes=1-2" });
        witness.evidence.calls++;
        if (read.status !== 206 || read.text !== "ep") witness.complain(`artifact: ${read.status} ${read.text}`);
      }
    },
    async () => {
      // One who follows, loses the connection and comes back for the rest.
      const id = await start({ kind: "task", instruction: "What is 6 times 7?" });
      const first = await witness.wait(`the events of ${id}`, readFirst(server, id, 1 + (++number % 4)));
      checkFollowed(id, await follow(id, first));
    },
    async () => {
      const answer = await call("POST", "/tasks", { instruction: "What is 6 times 7?" });
      expect(answer, [200], ({ ok, result }) => ok === true && result === 42);
      acknowledge(answer.value.runId, ENDED_SOMEHOW);
    },
    async () => {
      const { workspace } = server;
      const tasks = [{ id: "a", instructions: "Write", checks: [{ type: "file_exists", path: "a.txt" }], attempts: 1 }];
      const id = await start({ kind: "goal", plan: { goal: "Write", tasks }, workspace, apply: "never" });
      checkFollowed(id, await follow(id));
    },
    async () => {
      // The same key gets the same answer, however often and from however many.
      const key = `key-${++number % KEYS}`;
      const answer = await call("POST", "/execute", { code: `print("${key}")` }, { "idempotency-key": key });
      expect(answer, [200, 409]);
      if (answer.status !== 200) return witness.complain(answer.text);
      if ((answers.get(key) ?? answer.value.runId) !== answer.value.runId) witness.complain(`${key} was done twice`);
      answers.set(key, answer.value.runId);
    },
  ];
}

/** Reads so many events and breaks the connection. */
async function readFirst({ url, token }: LoadServer, id: string, wanted: number): Promise<number[]> {
  const gone = new AbortController();
  const headers = { authorization: `Bearer ${token}`, ...STREAM };
  const read: number[] = [];
  try {
    const response = await fetch(`${url}/runs/${id}/events`, { headers, signal: gone.signal });
    const decoder = new TextDecoder();
    let text = "";
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      const whole = text.slice(0, text.lastIndexOf("\n\n") + 2);
      const numbers = readEvents(whole).map((event) => Number(event.id));
      if (numbers.length >= wanted) {
        read.push(...numbers.slice(0, wanted));
        break;
      }
    }
  } finally {
    gone.abort();
  }
  return read;
}
