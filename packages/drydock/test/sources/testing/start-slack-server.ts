import { randomUUID } from "node:crypto";
import { type WebSocket, WebSocketServer } from "ws";
import { type PlatformAnswer, type PlatformForm, startPlatformServer } from "./start-platform-server.ts";

interface ShownMessage {
  ts: string;
  channel: string;
  thread: string | null;
  text: string;
  edits: number;
}

const BOT = { ok: true, user_id: "UBOT", user: "dock", team: "Harbour", team_id: "T1", url: "http://slack.test/" };

/** The Web API of Slack with Socket Mode: events until they are acknowledged, messages with their edits, files both ways. */
export async function startSlackServer(tokens: { bot: string; app: string }) {
  const calls: (PlatformForm & { method: string })[] = [];
  const shown: ShownMessage[] = [];
  const sentFiles: { channel: string; thread: string | null; name: string; bytes: Buffer }[] = [];
  const contents = new Map<string, Buffer>();
  const uploads = new Map<string, { name: string; bytes: Buffer | null }>();
  const fileTokens: (string | undefined)[] = [];
  const acknowledged: string[] = [];
  const sockets = new Set<WebSocket>();
  let refusals: { method: string; answer: NonNullable<PlatformAnswer> }[] = [];
  let clock = 1_700_000_000;

  const ok = (fields: object = {}): PlatformAnswer => ({ json: { ok: true, ...fields } });
  const fail = (error: string): PlatformAnswer => ({ json: { ok: false, error } });

  const methods: Record<string, (form: PlatformForm) => PlatformAnswer> = {
    "auth.test": () => ok(BOT),
    "chat.postMessage"({ fields: { channel, text, thread_ts } }) {
      const ts = `${clock++}.000100`;
      shown.push({ ...{ ts, channel: String(channel), text: String(text), edits: 0 }, thread: textOrNull(thread_ts) });
      return ok({ ts, channel });
    },
    "chat.update"({ fields: { channel, ts, text } }) {
      const message = shown.find((each) => each.ts === ts && each.channel === channel);
      if (!message) return fail("message_not_found");
      message.text = String(text);
      message.edits++;
      return ok({ ts, channel, text });
    },
    "files.getUploadURLExternal"({ fields: { filename } }) {
      const id = `F${uploads.size + 1}`;
      uploads.set(id, { name: String(filename), bytes: null });
      return ok({ file_id: id, upload_url: `${root()}/upload/${id}` });
    },
    "files.completeUploadExternal"({ fields: { files, channel_id, thread_ts } }) {
      for (const { id } of JSON.parse(String(files)) as { id: string }[]) {
        const upload = uploads.get(id);
        if (!upload?.bytes) return fail("file_not_found");
        const { name, bytes } = upload;
        sentFiles.push({ ...{ name, bytes, channel: String(channel_id) }, thread: textOrNull(thread_ts) });
      }
      return ok({ files: [] });
    },
  };

  const platform = await startPlatformServer(async ({ url, headers, form, body }) => {
    const [, kind, name = ""] = url.pathname.split("/");
    if (kind === "files") {
      fileTokens.push(headers.authorization);
      const bytes = headers.authorization === `Bearer ${tokens.bot}` ? contents.get(name) : undefined;
      return bytes ? { bytes } : { status: 403 };
    }
    if (kind === "upload") {
      const read = await form();
      const upload = uploads.get(name);
      if (!upload) return { status: 404 };
      upload.bytes = read.files[0]?.bytes ?? body;
      return { bytes: Buffer.from("OK") };
    }
    const read = await form();
    calls.push({ method: name, ...read });
    const isApp = name === "apps.connections.open";
    if (headers.authorization !== `Bearer ${isApp ? tokens.app : tokens.bot}`) return fail("invalid_auth");
    const refusal = refusals.find(({ method }) => method === name);
    if (refusal) {
      refusals = refusals.filter((each) => each !== refusal);
      return refusal.answer;
    }
    if (isApp) return ok({ url: `${root().replace("http", "ws")}/link?ticket=${randomUUID()}` });
    return methods[name]?.(read) ?? fail("unknown_method");
  });
  const root = () => `http://127.0.0.1:${platform.port}`;

  const attach = () => {
    const server = new WebSocketServer({ server: platform.server });
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      socket.on("message", (data) => {
        const { envelope_id } = JSON.parse(String(data)) as { envelope_id?: string };
        if (envelope_id) acknowledged.push(envelope_id);
      });
      socket.send(JSON.stringify({ type: "hello", num_connections: 1 }));
    });
  };
  attach();

  const emit = (event: Record<string, unknown>): string => {
    const envelope_id = randomUUID();
    const payload = { type: "event_callback", team_id: "T1", event_id: `Ev${envelope_id}`, event };
    const envelope = { envelope_id, type: "events_api", accepts_response_payload: false, payload };
    for (const socket of sockets) socket.send(JSON.stringify(envelope));
    return envelope_id;
  };
  return {
    ...{ calls, shown, sentFiles, fileTokens, acknowledged, emit },
    get apiRoot() {
      return `${root()}/api/`;
    },
    connections: () => sockets.size,
    textsOf: (channel: string) => shown.filter((each) => each.channel === channel).map(({ text }) => text),
    /** Gives the address that a message names. */
    addFile(id: string, bytes: Buffer): string {
      contents.set(id, bytes);
      return `${root()}/files/${id}`;
    },
    refuseNext(method: string, answer: NonNullable<PlatformAnswer>) {
      refusals.push({ method, answer });
    },
    /** A person writes. Gives the event, which can be emitted again. */
    say(message: { channel: string; channel_type: string } & Record<string, unknown>) {
      const event = { type: "message", user: "UANN", ts: `${clock++}.000200`, ...message };
      return { event, envelope: emit(event) };
    },
    /** Something that no Slack sends. */
    garble(frame: string) {
      for (const socket of sockets) socket.send(frame);
    },
    /** What Slack does a few times a day. */
    recycle() {
      for (const socket of sockets) socket.send(JSON.stringify({ type: "disconnect", reason: "refresh_requested" }));
    },
    async goDown() {
      for (const socket of sockets) socket.terminate();
      await platform.goDown();
    },
    async comeBack() {
      await platform.comeBack();
      attach();
    },
    async close() {
      for (const socket of sockets) socket.terminate();
      await platform.close();
    },
  };
}

function textOrNull(value: unknown): string | null {
  return value === undefined ? null : String(value);
}
