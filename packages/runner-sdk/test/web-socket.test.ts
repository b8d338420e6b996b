import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { RUNNER_SOCKET } from "@drydock/protocol/runner";
import { expect, it } from "vitest";

const PYTHONPATH = join(import.meta.dirname, "..", "python");
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/** Prints the texts that it gets, at most 1000 bytes each, and the code of the close. */
const CLIENT = `
import json, sys
from drydock_runner.web_socket import connect
with connect(sys.argv[1], "token") as host:
    texts = [None if text is None else text.decode() for text in host.texts(1000)]
print(json.dumps([texts, host.close_code]))`;

const frame = (first: number, payload: string | Buffer, size?: Buffer) => {
  const body = Buffer.from(payload);
  return Buffer.concat([Buffer.from([first]), size ?? Buffer.from([body.length]), body]);
};
const long = (length: number) => {
  const size = Buffer.from([126, 0, 0]);
  size.writeUInt16BE(length, 1);
  return size;
};
const close = frame(0x88, Buffer.from([0x11, 0x3a]));

/** What the client in Python makes of these bytes of a server, and what it sends back. */
async function tell(
  bytes: Buffer,
  answer = "101 Switching Protocols",
): Promise<{ value: unknown; sent: Buffer; stderr: string }> {
  let sent = Buffer.alloc(0);
  const server = createServer((socket) => {
    let head = "";
    socket.on("error", () => {});
    socket.on("data", (data) => {
      if (head.includes("\r\n\r\n")) {
        sent = Buffer.concat([sent, data]);
        return;
      }
      head += data.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      const key = /Sec-WebSocket-Key: (\S+)/.exec(head)?.[1];
      const accept = createHash("sha1").update(`${key}${GUID}`).digest("base64");
      socket.write(`HTTP/1.1 ${answer}\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
      // In pieces, as a network may bring them.
      for (let at = 0; at < bytes.length; at += 700) socket.write(bytes.subarray(at, at + 700));
      socket.end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/runner`;
  const child = spawn("python3", ["-B", "-c", CLIENT, url], { env: { PATH: process.env.PATH, PYTHONPATH } });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (text) => (stdout += text));
  child.stderr.on("data", (text) => (stderr += text));
  await once(child, "close");
  server.close();
  return { value: stdout === "" ? null : JSON.parse(stdout), sent, stderr };
}

it("the client in Python reads texts whole and in parts, answers pings, and hears why it is closed", async () => {
  const parts = [frame(0x01, "in "), frame(0x89, "ping"), frame(0x00, "two "), frame(0x80, "parts")];
  const bytes = Buffer.concat([frame(0x81, "é"), ...parts, frame(0x81, "x".repeat(500), long(500)), close]);
  const { value, sent } = await tell(bytes);
  expect(value).toEqual([["é", "in two parts", "x".repeat(500)], RUNNER_SOCKET.overCode]);
  // A pong and a close, both masked.
  expect([sent[0], (sent[1] ?? 0) & 0x80, sent.length]).toEqual([0x8a, 0x80, 2 + 4 + 4 + 2 + 4 + 2]);
});

it.each([
  ["one frame", frame(0x81, "x".repeat(2000), long(2000))],
  ["parts", Buffer.concat([frame(0x01, "x".repeat(600), long(600)), frame(0x80, "x".repeat(600), long(600))])],
])("a text that is too long, in %s, is dropped, and the next one is read", async (_name, bytes) => {
  expect((await tell(Buffer.concat([bytes, frame(0x81, "next"), close]))).value).toEqual([[null, "next"], 4410]);
});

it.each([
  ["a masked frame", Buffer.concat([Buffer.from([0x81, 0x81, 0, 0, 0, 0]), Buffer.from("x")])],
  ["an extension", frame(0xc1, "x")],
  ["bytes", frame(0x82, "x")],
  ["an unknown kind", frame(0x83, "x")],
  ["a part of nothing", frame(0x80, "x")],
  ["a ping in parts", frame(0x09, "x")],
])("ends the connection at %s", async (_name, bytes) => {
  expect((await tell(Buffer.concat([frame(0x81, "good"), bytes, frame(0x81, "late")]))).value).toEqual([
    ["good"],
    1006,
  ]);
});

it("refuses a server that answers something else", async () => {
  expect((await tell(close, "401 Unauthorized")).stderr).toContain("401 Unauthorized");
  expect((await tell(close, "200 OK")).value).toBeNull();
});

it("has the names and numbers of the protocol", () => {
  const code = `
import json
from drydock_runner import serve
print(json.dumps([serve.URL_VARIABLE, serve.TOKEN_VARIABLE, serve.OVER_CODE, [1000 * each for each in serve.RETRY_SECONDS]]))`;
  const facts = JSON.parse(
    execFileSync("python3", ["-B", "-c", code], { env: { ...process.env, PYTHONPATH } }).toString(),
  );
  const { urlVariable, tokenVariable, overCode, retryMs } = RUNNER_SOCKET;
  expect(facts).toEqual([urlVariable, tokenVariable, overCode, [retryMs.first, retryMs.last]]);
});
