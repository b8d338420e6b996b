import { type ApiRequest, DrydockError } from "@drydock/protocol";
import { hostNotGrantedError } from "../errors.ts";
import type { DrydockRunner, InnerResult, RunnerOutcome, RunnerPorts } from "../ports.ts";
import { API_PROGRAM } from "./api-program.ts";
import { describeContent } from "./describe-content.ts";
import { checkHeader, type FilledRequest, fillRequest } from "./fill-request.ts";

const MAX_HEADERS = 100;
/** Of a server that says more the rest goes into no record. */
const MAX_HEADER_CHARS = 4096;
/** Whatever else a server calls its answer goes into no record by that name. */
const MIME = /^[a-z]{1,20}\/[a-z0-9][a-z0-9.+-]{0,80}$/;

interface Answer {
  status: number;
  url: string;
  headers: [name: string, value: string][];
}

/** `api.call`: the declared request, with its secret, to the one host that it names. Whatever a server says is a response. */
export const apiCall: DrydockRunner = async (call, ports) => {
  const { action, extension, values, input } = call;
  const { id } = extension.manifest;
  if (!action.request) {
    const hint = "Tell its author: `drydock ext lint` finds this.";
    throw new DrydockError("extension.invalid", `The action ${action.name} of ${id} names no request.`, hint, {
      extension: id,
    });
  }
  const filled = fillRequest(action.request, values, { input: input?.text });
  await authorize(filled, action.request.auth, ports);
  const host = `${filled.url.hostname}:${filled.url.port || (filled.url.protocol === "https:" ? 443 : 80)}`;
  const httpRequest = {
    method: filled.method,
    url: filled.url.href,
    headers: filled.headers,
    body: filled.body === null ? null : Buffer.from(filled.body).toString("base64"),
    timeout: action.timeoutSeconds,
  };
  const ran = await ports.exec({
    command: ["python3", "-I", "-c", API_PROGRAM],
    stdin: JSON.stringify(httpRequest),
    network: [host],
    quiet: true,
  });
  return toOutcome(ran, host, id, extension.manifest.permissions.hosts, ports);
};

/** The secret goes into the request and nowhere else; every form of it is redacted from here on. */
async function authorize(
  request: FilledRequest,
  auth: ApiRequest["auth"],
  { readSecret, learn }: RunnerPorts,
): Promise<void> {
  if (!auth) return;
  const secret = await readSecret(auth.secret);
  switch (auth.type) {
    case "bearer":
      return addHeader(request, "Authorization", `Bearer ${secret}`);
    case "basic": {
      const encoded = Buffer.from(`${auth.user}:${secret}`).toString("base64");
      learn(encoded);
      return addHeader(request, "Authorization", `Basic ${encoded}`);
    }
    case "header":
      return addHeader(request, auth.header, secret);
    case "query":
      learn(encodeURIComponent(secret));
      request.url.searchParams.set(auth.parameter, secret);
      return;
    default:
      throw new Error(auth satisfies never);
  }
}

function addHeader({ headers }: FilledRequest, name: string, value: string): void {
  checkHeader(name, value);
  const kept = headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  headers.splice(0, headers.length, ...kept, [name, value]);
}

function toOutcome(
  ran: InnerResult,
  host: string,
  extension: string,
  granted: readonly string[],
  { redact }: Pick<RunnerPorts, "redact">,
): RunnerOutcome {
  const { head, body } = split(ran.stdout);
  const common = { artifacts: ran.artifacts, notes: ran.notes };
  if (ran.refused.length > 0) {
    const error = hostNotGrantedError(host, extension, granted).toInfo();
    return { ok: false, content: Buffer.alloc(0), mime: "text/plain", error, metadata: {}, ...common };
  }
  if (!head || !ran.ok) {
    const error =
      ran.error?.code === "code.exit" || !ran.error ? unreachable(host, redact(ran.stderr.toString())) : ran.error;
    const metadata = head ? { status: head.status } : {};
    return { ok: false, content: body, mime: describeContent(body), error, metadata, ...common };
  }
  const short = (text: string) => redact(text).slice(0, MAX_HEADER_CHARS);
  const headers = Object.fromEntries(
    head.headers.slice(0, MAX_HEADERS).map(([name, value]) => [short(name), short(value)]),
  );
  if ("x-drydock-proxy" in headers) {
    const error = unreachable(host, redact(body.toString()));
    return { ok: false, content: Buffer.alloc(0), mime: "text/plain", error, metadata: {}, ...common };
  }
  const [type = ""] = (headers["content-type"] ?? "").toLowerCase().split(";");
  const notes = head.status >= 400 ? [...ran.notes, `the server answered with status ${head.status}`] : ran.notes;
  return {
    ok: true,
    content: body,
    mime: MIME.test(type.trim()) ? type.trim() : describeContent(body),
    error: null,
    artifacts: ran.artifacts,
    metadata: { status: head.status, url: short(head.url), headers },
    notes,
  };
}

function split(stdout: Buffer): { head: Answer | null; body: Buffer } {
  const end = stdout.indexOf(0x0a);
  if (end < 0) return { head: null, body: Buffer.alloc(0) };
  try {
    return { head: JSON.parse(stdout.subarray(0, end).toString()), body: stdout.subarray(end + 1) };
  } catch {
    return { head: null, body: Buffer.alloc(0) };
  }
}

function unreachable(host: string, reason: string) {
  return new DrydockError(
    "code.exception",
    `The request to ${host} failed: ${reason.trim().slice(0, 500) || "there was no answer"}`,
    /CERTIFICATE/.test(reason)
      ? "This machine does not trust its certificate, or the certificate is for another host."
      : "See whether the host is up and reachable from this machine.",
    { host },
  ).toInfo();
}
