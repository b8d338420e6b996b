import type { ProviderSettings, ProxySettings } from "./provider-settings.ts";

type Fetch = typeof fetch;

/** The address answers, but not with the requested stream. */
export class NoStreamError extends Error {
  override readonly name = "NoStreamError";
  /** What came instead. */
  readonly came: "page" | "json";
  /** How it begins. */
  readonly start: string;

  constructor(came: "page" | "json", start: string) {
    super(came === "page" ? "a web page came" : "JSON came in place of a stream");
    this.came = came;
    this.start = start;
  }
}

const START_CHARS = 300;
/** Lines of an event stream begin with these. Some servers call it JSON. */
const EVENT_STREAM = /^\s*(data|event|id|retry)?:/;

/**
 * Sends the requests of one provider whose answers are streams. An answer that can't be one is refused by its type: read as a
 * stream, it would look cut off.
 */
export function createProviderFetch(settings: Pick<ProviderSettings, "proxy">): Fetch {
  const send = createPlainFetch(settings);
  return async (input, init) => refuseOther(await send(input, init));
}

/** Through the provider's proxy, and never after a redirection, because a key must not follow one to another host. */
export function createPlainFetch({ proxy }: Pick<ProviderSettings, "proxy">): Fetch {
  let opened: Promise<Fetch> | undefined;
  return async (input, init) => {
    opened ??= proxy ? openProxyFetch(proxy) : Promise.resolve(fetch);
    return (await opened)(input, { ...init, redirect: "manual" });
  };
}

async function openProxyFetch({ http, https, except }: ProxySettings): Promise<Fetch> {
  const { EnvHttpProxyAgent, fetch: send } = await import("undici");
  // An empty text means no proxy. Left out, the package would look into the environment by itself.
  const proxies = { httpProxy: http ?? "", httpsProxy: https ?? "", noProxy: except };
  // Only what is encrypted needs a tunnel, and many proxies allow one to port 443 alone.
  const dispatcher = new EnvHttpProxyAgent({ ...proxies, proxyTunnel: false });
  return ((input, init) => send(input as string, { ...(init as object), dispatcher })) as Fetch;
}

async function refuseOther(response: Response): Promise<Response> {
  if (!response.ok) return response;
  const type = (response.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "text/html" && type !== "application/json") return response;
  const text = await response.text();
  if (EVENT_STREAM.test(text)) return new Response(text, { status: response.status, headers: response.headers });
  throw new NoStreamError(type === "text/html" ? "page" : "json", text.slice(0, START_CHARS));
}
