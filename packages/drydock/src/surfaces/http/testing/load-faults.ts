import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Deed } from "./load-deeds.ts";
import type { Witness } from "./load-evidence.ts";
import type { LoadServer } from "./load-server.ts";

const LONG = JSON.stringify({ code: "import time; time.sleep(5)" });
const BAD_BODIES = [
  Buffer.from('{"code": 1}'),
  Buffer.from('{"code": "print(1)"'),
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from("[".repeat(5000)),
  Buffer.from("null"),
  Buffer.from('{"code": "1", "policy": {"limits": {"wallSeconds": -1}}}'),
];

/** What callers do who vanish, break off, never read, change their minds or send nonsense. */
export function listFaults(server: LoadServer, witness: Witness): Deed[] {
  const { call, expect } = witness;
  const json = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  let turn = 0;
  const post = (length: number, more = "") =>
    `POST /execute HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token}\r\n` +
    `Content-Type: application/json\r\n${more}Content-Length: ${length}\r\n\r\n`;
  /** Writes, waits, and is gone without a word. */
  const write = async (text: string, waitMs: number) => {
    const socket = openSocket(server.port);
    socket.write(text);
    await sleep(waitMs);
    socket.destroy();
  };
  const faults: Deed[] = [
    async () => {
      const body = BAD_BODIES[++turn % BAD_BODIES.length];
      const ask = async () => {
        const response = await fetch(`${server.url}/execute`, { method: "POST", headers: json, body });
        return { status: response.status, text: await response.text() };
      };
      const { status, text } = await witness.wait(`what is no request (${body?.toString().slice(0, 60)})`, ask());
      expect({ status, text, value: JSON.parse(text), sinceMs: Date.now() }, [400]);
    },
    async () => expect(await call("GET", "/runs", undefined, { authorization: "Bearer wrong" }), [401]),
    async () => {
      const signal = AbortSignal.timeout(50);
      await fetch(`${server.url}/execute`, { method: "POST", headers: json, body: LONG, signal }).catch(() => {});
    },
    async () => {
      // A reader that looks at nothing: what is written for it must not be gathered without end.
      const body = JSON.stringify({ code: "print('y' * 2_000_000)" });
      await write(post(body.length, "Accept: text/event-stream\r\n") + body, 100);
    },
    () => write("POST /execute HTTP/1.1\r\nHost: local", 20),
    () => write(`${post(1000)}{"code": "pri`, 20),
    () => write(`${post(LONG.length)}${LONG}`, 20),
    async () => {
      // Half a request that stays: the server has to be the one that ends it.
      const socket = openSocket(server.port);
      socket.write("GET /runs HTTP/1.1\r\nHost: local");
      setTimeout(() => socket.destroy(), 20_000).unref();
    },
    async () => {
      const { value } = await call("POST", "/runs", { kind: "exec", code: "import time\ntime.sleep(30)" });
      witness.acknowledge(value.id, ["cancelled", "failed"]);
      const response = await call("POST", `/runs/${value.id}/cancel`, {});
      // It may have ended with the part of the sandbox that was killed under it.
      if (response.status !== 202 && !response.text.includes("has ended (failed)")) witness.complain(response.text);
    },
    async () => {
      const { value } = await call("POST", "/runs", { kind: "task", instruction: "What is 6 times 7?" });
      witness.acknowledge(value.id, ["cancelled", "failed", "succeeded"]);
      const response = await call("POST", `/runs/${value.id}/cancel`, {});
      if (response.status !== 202 && !response.text.includes("has ended")) witness.complain(response.text);
    },
  ];
  return faults.map((fault) => () => {
    witness.fault();
    return fault();
  });
}

function openSocket(port: number): Socket {
  return connect(port, "127.0.0.1")
    .on("error", () => {})
    .pause();
}
