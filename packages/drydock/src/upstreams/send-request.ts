import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Dispatcher } from "undici";
import type { ProxySettings } from "../models/index.ts";

/** A whole answer may take long to begin: models think. */
const HEADERS_MS = 600_000;
const SILENCE_MS = 300_000;
const CONNECT_MS = 30_000;

/** Sends requests to upstreams. It follows no redirection: a key must not follow one to another host. */
export interface Sender {
  send(request: SentRequest): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
}

export interface SentRequest {
  url: { origin: string; path: string };
  method: string;
  headers: Record<string, string | string[]>;
  body: Buffer | Readable | null;
  proxy: ProxySettings | null;
  signal: AbortSignal;
}

export function createSender(): Sender {
  const dispatchers = new Map<string, Promise<Dispatcher>>();

  function open(proxy: ProxySettings | null): Promise<Dispatcher> {
    const key = JSON.stringify(proxy);
    const opened = dispatchers.get(key) ?? openDispatcher(proxy);
    dispatchers.set(key, opened);
    return opened;
  }

  return {
    async send({ url, method, headers, body, proxy, signal }) {
      const dispatcher = await open(proxy);
      const request = { ...url, method: method as Dispatcher.HttpMethod, headers, body, signal };
      return dispatcher.request({ ...request, headersTimeout: HEADERS_MS, bodyTimeout: SILENCE_MS });
    },
    async close() {
      for (const dispatcher of dispatchers.values()) await (await dispatcher).destroy();
    },
  };
}

async function openDispatcher(proxy: ProxySettings | null): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await import("undici");
  const connect = { timeout: CONNECT_MS };
  if (!proxy) return new Agent({ connect });
  // An empty text means no proxy. Left out, the package would look into the environment by itself.
  const proxies = { httpProxy: proxy.http ?? "", httpsProxy: proxy.https ?? "", noProxy: proxy.except };
  return new EnvHttpProxyAgent({ ...proxies, connect, proxyTunnel: false });
}

/** What undoes the encoding of an answer; null: it has none. Undefined: it is not known, and could hide a key. */
export function openDecoder(encoding: string): ReturnType<typeof createGunzip> | null | undefined {
  switch (encoding.trim().toLowerCase()) {
    case "":
    case "identity":
      return null;
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      return undefined;
  }
}
