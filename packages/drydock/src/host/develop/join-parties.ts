import { HOST_NOTIFICATIONS, RUNNER_LIMITS, RUNNER_SOCKET } from "@drydock/protocol/runner";
import type { WebSocket } from "ws";
import type { OpenLink } from "../channel/link.ts";

/*
 *   a host connects ──► a program is started for it, or it is joined with the runner that is connected, or that connects soon
 *   either side goes ──► the other side's connection is closed as well; the SDK of the runner connects again
 *
 * Messages are carried from one side to the other. Of what they say, only the log of a runner is shown.
 */
export interface Parties {
  addHost(socket: WebSocket): void;
  addRunner(socket: WebSocket): void;
  /** Hosts connect again when they need the plugin, and get the program as it is then. */
  closeHosts(code: number, reason: string): void;
  closeRunner(reason: string): void;
}

export interface PartiesOptions {
  /** Starts the program for a host that has connected; null where the author starts it. */
  openLink: (() => OpenLink) | null;
  onLog(text: string): void;
}

interface Party {
  socket: WebSocket;
  /** Messages that came before there was somebody to get them. */
  early: string[];
  partner: { send(text: string): void; close(): void } | null;
}

const NOT_TEXT = 1003;
const TOO_LONG = 1009;
const GONE = 1011;
const TRY_LATER = 1013;
/** A host waits so long for a runner that is started again; its own patience may be shorter. */
const WAIT_MS = 10_000;
/** A runner that does not close its side is forgotten. */
const CLOSE_MS = 1000;
const MAX_EARLY = 100;
const MAX_WRITTEN_CHARS = 4000;
const NO_RUNNER = "No runner is connected to `drydock plugin dev`.";

export function createParties({ openLink, onLog }: PartiesOptions): Parties {
  const hosts = new Set<Party>();
  let runner: Party | null = null;

  const add = (socket: WebSocket, maxBytes: number, onGone: (party: Party) => void): Party => {
    const party: Party = { socket, early: [], partner: null };
    const end = (code: number, reason: string) => {
      closeSoon(socket, code, reason);
      party.partner?.close();
    };
    socket.on("message", (data, isBinary) => {
      // What comes after a message that can't be carried is not carried either.
      if (socket.readyState !== socket.OPEN) return;
      const text = String(data);
      if (isBinary) end(NOT_TEXT, "Messages are text.");
      else if (Buffer.byteLength(text) > maxBytes) end(TOO_LONG, "The message is too long.");
      else if (!party.partner) {
        if (party.early.push(text) > MAX_EARLY) end(TRY_LATER, "Nobody reads these messages.");
      } else {
        if (party === runner) showLog(text, onLog);
        party.partner.send(text);
      }
    });
    socket.on("close", () => {
      onGone(party);
      party.partner?.close();
    });
    return party;
  };

  const join = (host: Party, other: Party) => {
    host.partner = {
      send: (text) => other.socket.send(text),
      close() {
        // The next host finds a runner that knows nothing of this one.
        if (runner === other) runner = null;
        closeSoon(other.socket, 1000, "The host has gone.");
      },
    };
    other.partner = {
      send: (text) => host.socket.send(text),
      close: () => host.socket.close(GONE, "The runner has gone."),
    };
    for (const text of host.early.splice(0)) other.socket.send(text);
  };

  return {
    addHost(socket) {
      dropClosing(hosts);
      const isBusy = hosts.size > 0 && openLink === null;
      if (isBusy) return socket.close(RUNNER_SOCKET.busyCode, "Another host uses this plugin.");
      const host = add(socket, RUNNER_LIMITS.hostLineBytes, (party) => hosts.delete(party));
      hosts.add(host);
      if (openLink) host.partner = startProgram(host, openLink(), onLog);
      else if (runner) join(host, runner);
      else setTimeout(() => host.partner ?? socket.close(TRY_LATER, NO_RUNNER), WAIT_MS).unref();
    },
    addRunner(socket) {
      const { overCode, busyCode } = RUNNER_SOCKET;
      if (openLink) return socket.close(overCode, "`drydock plugin dev` starts the program itself, without --attach.");
      if (runner) return socket.close(busyCode, "A runner is connected already.");
      const party = add(socket, RUNNER_LIMITS.lineBytes, () => {
        if (runner === party) runner = null;
        onLog("The runner is disconnected.\n");
      });
      runner = party;
      onLog("The runner is connected.\n");
      const [waiting] = hosts;
      if (waiting && !waiting.partner) join(waiting, party);
    },
    closeHosts(code, reason) {
      for (const { socket } of hosts) closeSoon(socket, code, reason);
    },
    closeRunner(reason) {
      if (runner) closeSoon(runner.socket, RUNNER_SOCKET.overCode, reason);
    },
  };
}

/** One that is closing is gone, for whoever comes. */
function dropClosing(parties: Set<Party>): void {
  for (const each of parties) {
    if (each.socket.readyState === each.socket.OPEN) continue;
    parties.delete(each);
    each.partner?.close();
  }
}

/** Few messages are logs: the others are not parsed. */
function showLog(text: string, onLog: (text: string) => void): void {
  if (!text.includes('"log"')) return;
  const message = parseJson(text) as { method?: unknown; params?: unknown } | undefined;
  const { data } = HOST_NOTIFICATIONS.log.safeParse(message?.method === "log" ? message.params : null);
  if (data) onLog(`${data.level}: ${data.message.trimEnd()}\n`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function closeSoon(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, cut(reason));
  const late = setTimeout(() => socket.terminate(), CLOSE_MS);
  late.unref();
  socket.once("close", () => clearTimeout(late));
}

function startProgram({ socket }: Party, open: OpenLink, onLog: (text: string) => void): NonNullable<Party["partner"]> {
  let line = "";
  let written = "";
  let hasAnswered = false;
  const link = open({
    onLog(text) {
      written = (written + text).slice(-MAX_WRITTEN_CHARS);
      onLog(text);
    },
    onText(text) {
      hasAnswered = true;
      const lines = (line + text).split("\n");
      line = lines.pop() ?? "";
      for (const one of lines) {
        if (one.trim() === "") continue;
        showLog(one, onLog);
        socket.send(one);
      }
      if (line.length > RUNNER_LIMITS.lineBytes) link.abort();
    },
  });
  void link.ended.then((reason) => {
    // The host is told why: else it would start the same program again and again.
    const params = { level: "error", message: written.trim() || "It ended before it answered." };
    const isOpen = socket.readyState === socket.OPEN;
    if (isOpen && !hasAnswered) socket.send(JSON.stringify({ jsonrpc: "2.0", method: "log", params }));
    socket.close(GONE, cut(reason));
  });
  return { send: (text) => link.send(text), close: () => link.abort() };
}

/** The reason of a close has at most 123 bytes. */
function cut(reason: string): string {
  return Buffer.byteLength(reason) <= 123 ? reason : `${reason.slice(0, 40)}…`;
}
