import { hash, randomBytes } from "node:crypto";
import { sign } from "@octokit/webhooks-methods";
import { Webhook } from "standardwebhooks";
import type * as z from "zod";
import { isTooDeep } from "../../../base/json-schema/index.ts";
import type { SourceContext, SourceEvent, SourceProgram, SourceRequest } from "../adapter.ts";
import { createVerify, verifyNothing } from "./verify-delivery.ts";
import type { WebhookSettings } from "./webhook-type.ts";

type Settings = z.output<typeof WebhookSettings>;

const MAX_NAME_CHARS = 200;

/*
 * What is answered to whom is not known is one and the same: no such source, one that is switched off, a wrong signature,
 * an old time stamp. Whoever has the secret is told more.
 */
export const webhookProgram: SourceProgram<Settings> = {
  async start(context) {
    const { settings } = context;
    const verify = createVerify(settings.scheme, listSecrets(context));
    return {
      async receive(request) {
        if (!(await verify(request))) return refuse();
        const event = readEvent(settings, request);
        if (event === null) return answer(422, { error: "The body is nested too deeply, or the event has no name." });
        const { eventId, kind } = await context.emit(event);
        return answer(kind === "accepted" ? 202 : 200, { eventId, kind });
      },
      async stop() {},
    };
  },
  async test(context) {
    const { settings } = context;
    const verify = createVerify(settings.scheme, listSecrets(context));
    const request = await signTrial(settings, context.secrets.secret ?? "");
    if (!(await verify(request))) throw new Error("A delivery that was signed with its secret was refused.");
    const forged = { ...request, body: Buffer.from('{"type":"forged"}') };
    if (await verify(forged)) throw new Error("A delivery with another body was taken.");
    return `A delivery that was signed with its secret is taken at /hooks/${context.name}, and a forged one is not.`;
  },
  async refuseStranger(request) {
    await verifyNothing(request);
    return refuse();
  },
};

function listSecrets({ secrets }: Pick<SourceContext, "secrets">): string[] {
  return [secrets.secret, secrets.previous].filter((secret) => secret !== undefined);
}

/** Null where it can't be one. */
function readEvent(settings: Settings, { headers, body }: SourceRequest): SourceEvent | null {
  const text = Buffer.from(body).toString();
  const payload = parse(text);
  if (isTooDeep(payload)) return null;
  const { text: told, conversation } = settings;
  const said = {
    ...(told !== undefined && { text: told }),
    ...(conversation !== undefined && { conversation: { conversation_id: conversation } }),
  };
  if (settings.scheme === "standard") {
    const { type } = Object(payload) as { type?: unknown };
    const raw = typeof type === "string" ? type.slice(0, MAX_NAME_CHARS) : null;
    const id = headers.get("webhook-id") ?? "";
    return { ...said, id, type: "webhook.received", source_event_type: raw || null, data: { payload } };
  }
  const name = headers.get("x-github-event") ?? "";
  if (!/^[a-z][a-z0-9_]{0,60}$/.test(name)) return null;
  const delivery = headers.get("x-github-delivery")?.slice(0, MAX_NAME_CHARS) ?? null;
  const { action } = Object(payload) as { action?: unknown };
  const raw = typeof action === "string" ? `${name}.${action}`.slice(0, MAX_NAME_CHARS) : name;
  const id = settings.identify === "delivery" && delivery ? delivery : hash("sha256", text);
  return { ...said, id, type: `github.${name}`, source_event_type: raw, data: { delivery, payload } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function signTrial({ scheme }: Settings, secret: string): Promise<SourceRequest> {
  const body = '{"type":"trial"}';
  const trial = (headers: Record<string, string>) => ({
    ...{ method: "POST", headers: new Headers(headers), body: Buffer.from(body) },
  });
  if (scheme === "github") return trial({ "x-hub-signature-256": await sign(secret, body) });
  const id = `msg_${randomBytes(8).toString("hex")}`;
  const at = new Date();
  return trial({
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  });
}

function refuse(): Response {
  return answer(401, { error: "The signature is wrong, or there is no such hook." });
}

function answer(status: number, value: object): Response {
  return new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json" } });
}
