import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "drydock/client";
import { beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { loadHttpTokens } from "../../../app/index.ts";
import { openTestServer } from "../testing/open-test-server.ts";

const place = openTestServer({ warm: 1 });
const CALLER = join(import.meta.dirname, "../../../../test/host/plugins/caller");
let box: string;

/** Opens the agent's box by a call of one of its tools. */
async function openBox(name: string): Promise<string> {
  const { dock } = place.server;
  const text = JSON.stringify({
    calls: [["call_tool", { tool_name: "exec", parameters: { code: "echo a > a.txt" } }]],
  });
  await dock.host.send(
    { type: "message.received", conversation: { conversation_id: name }, input: { text } },
    { agent: "boxer" },
  );
  const found = (await dock.boxes.list()).find(({ scope }) => scope === name);
  if (!found) throw new Error("no box");
  return found.id;
}

beforeAll(async () => {
  const { host } = place.server.dock;
  await host.plugins.add(CALLER);
  const runner = "plugin:test/caller/all";
  await host.agents.add({ name: "boxer", runner, grants: { tools: ["exec"] }, box: { scope: "{conversation}" } });
  box = await openBox("one");
});

interface Terminal {
  socket: WebSocket;
  screen(): string;
  frames: Record<string, unknown>[];
  sees(text: string | RegExp): Promise<void>;
}

async function connect(id: string, query = "", { token = place.server.token } = {}): Promise<Terminal> {
  const url = `${place.server.url.replace("http", "ws")}/boxes/${id}/terminal${query}`;
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
  let text = "";
  const frames: Record<string, unknown>[] = [];
  socket.on("message", (data, isBinary) => {
    if (isBinary) text += String(data);
    else frames.push(JSON.parse(String(data)) as Record<string, unknown>);
  });
  await once(socket, "open");
  const sees: Terminal["sees"] = (wanted) => expect.poll(() => text, { timeout: 8000 }).toMatch(wanted);
  return { socket, screen: () => text, frames, sees };
}

const type = ({ socket }: Terminal, text: string) => socket.send(Buffer.from(text));
const processes = async (pattern: string) => {
  const { dock } = place.server;
  const call = ["call_tool", { tool_name: "exec", parameters: { code: `pgrep -fc '${pattern}'` } }];
  const event = {
    type: "message.received",
    conversation: { conversation_id: "one" },
    input: { text: JSON.stringify({ calls: [call] }) },
  };
  const sent = await dock.host.send(event, { agent: "boxer" });
  return sent.kind === "answered" ? sent.text : "";
};

describe("a terminal in a box", () => {
  it("is a shell of that box: keys, colours, sizes, job control, and its exit status", async () => {
    const terminal = await connect(box, "?columns=100&rows=30");
    type(terminal, "cat a.txt; stty size; tty\r");
    await terminal.sees(/a\r\n30 100\r\n\/dev\/pts\//);
    terminal.socket.send(JSON.stringify({ type: "resize", columns: 90, rows: 20 }));
    terminal.socket.send(JSON.stringify({ type: "input", text: "stty size\r" }));
    await terminal.sees("20 90");
    type(terminal, "echo going-$((1+1)); sleep 1000\r");
    await terminal.sees("going-2");
    type(terminal, "\u0003");
    await terminal.sees(/\^C/);
    const closed = once(terminal.socket, "close");
    type(terminal, "echo status $?; exit 7\r");
    await terminal.sees("status 130");
    await closed;
    expect(terminal.frames).toEqual([{ type: "ready" }, { type: "ended", status: 7 }]);
  });

  it("floods nobody: a client that does not read stops the shell, and the box answers meanwhile", async () => {
    const terminal = await connect(box);
    type(terminal, "yes flooding-the-terminal\r");
    await terminal.sees("flooding");
    terminal.socket.pause();
    const { base64 } = await createClient({ baseUrl: place.server.url, token: place.server.token ?? "" }).boxes.read(
      box,
      {
        path: "a.txt",
      },
    );
    expect(Buffer.from(base64, "base64").toString()).toBe("a\n");
    terminal.socket.resume();
    type(terminal, "\u0003");
    await terminal.sees(/\^C/);
    type(terminal, "echo over-$((1+1))\r");
    await terminal.sees("over-2");
    terminal.socket.close();
  });

  it("ends with its client, and so does all that it started", async () => {
    const terminal = await connect(box);
    type(terminal, "sleep 4242 & sleep 4242 & fg\r");
    await expect.poll(() => processes("sleep 424[2]")).toContain('"2');
    terminal.socket.terminate();
    await expect.poll(() => processes("sleep 424[2]")).toContain('"0');
  });

  it("is refused without a token of the scope run, for a box that is not there, and for a size that can't be", async () => {
    const { createHttpToken } = await loadHttpTokens();
    const reader = await createHttpToken(place.server.dock.home, { name: "reader", scope: "read" });
    await expect(connect(box, "", { token: "wrong" })).rejects.toThrow("401");
    await expect(connect(box, "", { token: reader.token })).rejects.toThrow("403");
    await expect(connect(box, "?columns=0")).rejects.toThrow("400");
    const nowhere = await connect("box_none");
    await expect.poll(() => nowhere.frames).toMatchObject([{ type: "error", error: { code: "session.not_found" } }]);
  });
});

describe("files of a box over HTTP", () => {
  const client = () => createClient({ baseUrl: place.server.url, token: place.server.token ?? "" });

  it("go with a terminal of the typed client", async () => {
    let text = "";
    const ended = Promise.withResolvers<number | null>();
    const terminal = await client().boxes.terminal(box, {
      columns: 70,
      onData: (bytes) => {
        text += Buffer.from(bytes).toString();
      },
      onEnd: ended.resolve,
    });
    terminal.write("stty size; exit 3\r");
    expect(await ended.promise).toBe(3);
    expect(text).toContain("24 70");
    const nowhere = client().boxes.terminal("box_none", { onData: () => {} });
    await expect(nowhere).rejects.toMatchObject({ code: "session.not_found" });
  });

  it("are listed, read by ranges, written and deleted with the typed client", async () => {
    const { boxes } = client();
    const bytes = Buffer.from([0, 255, 10, 13, 1]);
    const written = await boxes.write(box, { path: "deep/er/b.bin", base64: bytes.toString("base64") });
    expect(written).toEqual({ path: "deep/er/b.bin", bytes: 5, created: true });
    const part = await boxes.read(box, { path: "deep/er/b.bin", offset: 1, length: 2 });
    expect(part).toEqual({ size: 5, offset: 1, base64: bytes.subarray(1, 3).toString("base64") });
    const { entries } = await boxes.files(box, { path: "deep/er" });
    expect(entries).toMatchObject([{ name: "b.bin", kind: "file", size: 5 }]);
    expect(await boxes.remove(box, { path: "deep/er/b.bin" })).toEqual({ path: "deep/er/b.bin" });
    expect((await boxes.files(box, { path: "deep/er" })).entries).toEqual([]);
    expect((await boxes.list()).boxes.map(({ id }) => id)).toContain(box);
  });

  it("lead nowhere else: not by .., not by a link, not to a device, and a link is deleted itself", async () => {
    const { boxes } = client();
    const terminal = await connect(box);
    type(terminal, "ln -s /etc out; ln -s a.txt soft; mkfifo pipe; echo made-$((1+1))\r");
    await terminal.sees("made-2");
    terminal.socket.close();
    for (const path of ["../../etc/passwd", "/etc/passwd", "out/passwd"]) {
      await expect(boxes.read(box, { path })).rejects.toMatchObject({ code: "policy.path_denied" });
      await expect(boxes.write(box, { path, base64: "" })).rejects.toMatchObject({ code: "policy.path_denied" });
      await expect(boxes.remove(box, { path })).rejects.toMatchObject({ code: "policy.path_denied" });
    }
    await expect(boxes.files(box, { path: "out" })).rejects.toMatchObject({ code: "policy.path_denied" });
    await expect(boxes.read(box, { path: "pipe" })).rejects.toThrow("not a regular file");
    await expect(boxes.read(box, { path: "gone" })).rejects.toThrow("There is no file gone");
    await boxes.remove(box, { path: "soft" });
    expect((await boxes.read(box, { path: "a.txt" })).size).toBe(2);
    await expect(boxes.remove(box, { path: "." })).rejects.toThrow("can't be deleted");
  });

  it("and skills: added, shown, removed; a box is closed", async () => {
    const { skills, boxes } = client();
    const folder = join(place.directory, "greet");
    mkdirSync(folder);
    writeFileSync(join(folder, "SKILL.md"), "---\nname: greet\ndescription: Greets.\n---\nSay hello.\n");
    expect(await skills.add({ path: folder })).toMatchObject({ name: "greet", origin: "installed" });
    expect(await skills.show("greet")).toMatchObject({ instructions: "Say hello.", problem: null });
    expect((await skills.list()).skills).toHaveLength(1);
    await skills.remove("greet");
    const other = await openBox("two");
    expect(await boxes.close(other)).toMatchObject({ id: other });
    await expect(boxes.files(other)).rejects.toMatchObject({ code: "session.not_found" });
  });
});
