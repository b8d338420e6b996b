import { type WebSocket, WebSocketServer } from "ws";
import { type PlatformAnswer, type PlatformForm, startPlatformServer } from "./start-platform-server.ts";

interface ShownMessage {
  id: string;
  channel: string;
  content: string;
  answers: string | null;
  edits: number;
  allowedMentions: unknown;
}

interface Session {
  id: string;
  sequence: number;
  /** Dispatches that a connection which comes back gets. */
  sent: { s: number; t: string; d: unknown }[];
}

const BOT = { id: "900", username: "dock", discriminator: "0", global_name: "Dock", bot: true, avatar: null };
const FIRST_ID = 1_000_000;

/** The REST API of Discord with its gateway: sessions that are resumed, messages with their edits, files both ways. */
export async function startDiscordServer(token: string) {
  const calls: (PlatformForm & { method: string; path: string })[] = [];
  const shown: ShownMessage[] = [];
  const sentFiles: { channel: string; name: string; bytes: Buffer }[] = [];
  const contents = new Map<string, Buffer>();
  const channels = new Map<string, Record<string, unknown>>();
  const sockets = new Map<WebSocket, Session | null>();
  const sessions = new Map<string, Session>();
  const gatewayEvents: string[] = [];
  let refusals: { path: RegExp; answer: NonNullable<PlatformAnswer> }[] = [];
  let closeNext: number | null = null;
  let lastId = FIRST_ID;

  const root = () => `http://127.0.0.1:${platform.port}`;
  const gateway = () => root().replace("http", "ws");
  const postMessage = (channel: string, { fields, files }: PlatformForm): PlatformAnswer => {
    const body = typeof fields.payload_json === "string" ? JSON.parse(fields.payload_json) : fields;
    const content = String(body.content ?? "");
    if (content.length > 2000) return { status: 400, json: { code: 50035, message: "Invalid Form Body" } };
    for (const { name, bytes } of files) sentFiles.push({ channel, name, bytes });
    const answers = Object(body.message_reference).message_id ?? null;
    const message = {
      id: String(lastId++),
      channel,
      content,
      answers,
      edits: 0,
      allowedMentions: body.allowed_mentions,
    };
    shown.push(message);
    return { json: { id: message.id, channel_id: channel, content } };
  };
  const answer = (method: string, path: string, form: PlatformForm): PlatformAnswer => {
    const [, kind, id = "", what, message] = path.split("/");
    if (path === "/users/@me") return { json: BOT };
    if (path === "/gateway/bot") {
      const limit = { total: 1000, remaining: 999, reset_after: 0, max_concurrency: 1 };
      return { json: { url: gateway(), shards: 1, session_start_limit: limit } };
    }
    if (kind === "channels" && what === undefined)
      return channels.has(id)
        ? { json: { id, ...channels.get(id) } }
        : { status: 403, json: { code: 50001, message: "Missing Access" } };
    if (what === "typing") return { status: 204, bytes: Buffer.alloc(0) };
    if (what === "messages" && method === "POST") return postMessage(id, form);
    if (what === "messages" && method === "PATCH") {
      const found = shown.find((each) => each.id === message);
      if (!found) return { status: 404, json: { code: 10008, message: "Unknown Message" } };
      found.content = String(form.fields.content);
      found.edits++;
      return { json: { id: found.id, channel_id: id, content: found.content } };
    }
    return { status: 404, json: { code: 0, message: "404: Not Found" } };
  };

  const platform = await startPlatformServer(async ({ method, url, headers, form }) => {
    const [, kind = "", version = "", ...rest] = url.pathname.split("/");
    if (kind === "cdn") {
      const bytes = headers.authorization === undefined ? contents.get(version) : undefined;
      return bytes ? { bytes } : { status: 404 };
    }
    const path = `/${rest.join("/")}`;
    const read = await form();
    calls.push({ method, path, ...read });
    if (headers.authorization !== `Bot ${token}`)
      return { status: 401, json: { code: 0, message: "401: Unauthorized" } };
    const refusal = refusals.find((each) => each.path.test(`${method} ${path}`));
    if (refusal) {
      refusals = refusals.filter((each) => each !== refusal);
      return refusal.answer;
    }
    return answer(method, path, read);
  });

  const dispatch = (socket: WebSocket, session: Session, t: string, d: unknown) => {
    const payload = { s: ++session.sequence, t, d };
    session.sent.push(payload);
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ op: 0, ...payload }));
  };
  const onMessage = (socket: WebSocket, { op, d }: { op: number; d: Record<string, unknown> }) => {
    if (op === 1) return socket.send(JSON.stringify({ op: 11 }));
    if (op !== 2 && op !== 6) return;
    if (d.token !== token) return socket.close(4004, "Authentication failed.");
    if (closeNext !== null) {
      socket.close(closeNext);
      closeNext = null;
      return;
    }
    const known = op === 6 ? sessions.get(String(d.session_id)) : undefined;
    if (op === 6 && !known) return socket.send(JSON.stringify({ op: 9, d: false }));
    if (known) {
      gatewayEvents.push("resume");
      sockets.set(socket, known);
      for (const payload of known.sent.filter(({ s }) => s > Number(d.seq)))
        socket.send(JSON.stringify({ op: 0, ...payload }));
      return dispatch(socket, known, "RESUMED", {});
    }
    gatewayEvents.push("identify");
    const session: Session = { id: `session-${sessions.size + 1}`, sequence: 0, sent: [] };
    sessions.set(session.id, session);
    sockets.set(socket, session);
    const ready = { v: 10, user: BOT, session_id: session.id, resume_gateway_url: gateway(), guilds: [] };
    dispatch(socket, session, "READY", ready);
  };
  const attach = () => {
    const server = new WebSocketServer({ server: platform.server });
    server.on("connection", (socket) => {
      sockets.set(socket, null);
      socket.on("close", () => sockets.delete(socket));
      socket.on("message", (data) => onMessage(socket, JSON.parse(String(data))));
      socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: 40_000 } }));
    });
  };
  attach();

  /** To the newest session, whether its connection is there or not. */
  const emit = (t: string, d: unknown) => {
    const session = [...sessions.values()].at(-1);
    if (!session) throw new Error("nobody has connected");
    const [socket] = [...sockets].find(([, each]) => each === session) ?? [];
    if (socket) dispatch(socket, session, t, d);
    else session.sent.push({ s: ++session.sequence, t, d });
  };
  /** A frame as it is, to all connections. */
  const sendFrame = (frame: unknown) => {
    for (const socket of sockets.keys()) socket.send(JSON.stringify(frame));
  };
  const drop = () => {
    for (const socket of sockets.keys()) socket.terminate();
  };
  return {
    ...{ calls, shown, sentFiles, channels, gatewayEvents, emit, sendFrame, drop },
    get apiRoot() {
      return `${root()}/api`;
    },
    connections: () => [...sockets.values()].filter((session) => session !== null).length,
    textsOf: (channel: string) => shown.filter((each) => each.channel === channel).map(({ content }) => content),
    addFile(id: string, bytes: Buffer): string {
      contents.set(id, bytes);
      return `${root()}/cdn/${id}`;
    },
    refuseNext(path: RegExp, refused: NonNullable<PlatformAnswer>) {
      refusals.push({ path, answer: refused });
    },
    /** The gateway closes the next connection that wants to begin. */
    closeNextWith(code: number) {
      closeNext = code;
    },
    /** A person writes. Gives the message, which can be emitted again. */
    say(message: { channel_id: string } & Record<string, unknown>) {
      const whole = {
        ...{
          id: String(lastId++),
          type: 0,
          content: "",
          timestamp: "2026-11-18T12:00:00.000000+00:00",
          attachments: [],
        },
        ...{ edited_timestamp: null, mentions: [], author: { id: "77", username: "ann", global_name: "Ann Lee" } },
        ...message,
      };
      emit("MESSAGE_CREATE", whole);
      return whole;
    },
    async goDown() {
      drop();
      await platform.goDown();
    },
    async comeBack() {
      await platform.comeBack();
      attach();
    },
    async close() {
      drop();
      await platform.close();
    },
  };
}
