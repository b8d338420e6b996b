import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, TestServer } from "./open-test-server.ts";

const CALLERS = 8;

export interface LoadReport {
  calls: number;
  /** Answers that nobody should get. */
  wrong: string[];
  /** Of the process that serves, after a collection: once warm, and at the end. */
  heapBytes: { before: number; after: number };
}

/** So many seconds of everything at once, faults included: callers that leave, break off, never read, send nonsense. */
export async function runMixedLoad(place: TestServer, seconds: number): Promise<LoadReport> {
  const report: LoadReport = { calls: 0, wrong: [], heapBytes: { before: 0, after: 0 } };
  const deeds = listDeeds(place, (answer, wanted) => {
    report.calls++;
    if (!wanted.includes(answer.status)) report.wrong.push(`${answer.status} ${answer.text.slice(0, 200)}`);
  });
  const until = async (endMs: number) => {
    let turn = 0;
    await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        while (Date.now() < endMs) await deeds[turn++ % deeds.length]?.();
      }),
    );
  };
  // Code is compiled and caches are filled with the first of it: that is no leak.
  await until(Date.now() + seconds * 250);
  report.heapBytes.before = readHeap();
  await until(Date.now() + seconds * 750);
  report.heapBytes.after = readHeap();
  return report;
}

function readHeap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function listDeeds(place: TestServer, check: (answer: Answer, wanted: number[]) => void): (() => Promise<void>)[] {
  const { call, server } = place;
  const json = { "content-type": "application/json" };
  return [
    async () => check(await call("POST", "/execute", { code: "print(1)" }), [200]),
    async () => check(await call("POST", "/execute", { code: "raise SystemExit(3)" }), [200]),
    async () => check(await call("POST", "/execute", { code: 1 }), [400]),
    async () => check(await call("GET", "/runs?limit=20"), [200]),
    async () => {
      const { value } = await call("POST", "/sessions", {});
      if (value.sessionId === undefined) return;
      check(await call("POST", `/sessions/${value.sessionId}/exec`, { code: "x = 1" }), [200]);
      check(await call("DELETE", `/sessions/${value.sessionId}`), [200]);
    },
    async () => {
      const started = await call("POST", "/runs", { kind: "exec", code: "print('x' * 1000)" });
      check(started, [202]);
      const path = `/runs/${started.value.id}/events`;
      check(await call("GET", path, undefined, { accept: "text/event-stream" }), [200, 204]);
    },
    async () => {
      // A caller that loses patience.
      const body = JSON.stringify({ code: "import time; time.sleep(5)" });
      const signal = AbortSignal.timeout(50);
      await place.fetch("/execute", { method: "POST", headers: json, body, signal }).catch(() => {});
    },
    async () => {
      // A reader that looks at nothing, and then is gone without a word.
      const socket = connect(server.port, "127.0.0.1").pause();
      socket.on("error", () => {});
      const body = JSON.stringify({ code: "print('y' * 200000)" });
      const head = `POST /execute HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n`;
      socket.write(head + body);
      await sleep(100);
      socket.destroy();
    },
  ];
}
