import { createHmac, randomBytes } from "node:crypto";
import { verify } from "@octokit/webhooks-methods";
import { Webhook } from "standardwebhooks";
import { SourceRefused, type SourceRequest } from "../adapter.ts";
import type { WEBHOOK_SCHEMES } from "./webhook-type.ts";

/*
 * A request for a name that nobody has, or with a wrong signature, or one of another scheme, costs the same: as many hashes
 * over its body as a right one. Otherwise the time of the answer would tell which names there are.
 */
type Scheme = (typeof WEBHOOK_SCHEMES)[number];

/** Whether one of its secrets has signed a request. */
export type Verify = (request: SourceRequest) => Promise<boolean>;

const STANDARD_HEADERS = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;
const GITHUB_HEADER = "x-hub-signature-256";
const GITHUB_SIGNATURE = /^sha256=[0-9a-f]{64}$/;
/** One signature is a hash. A header may hold several, while a secret is changed. */
const MAX_HEADER_CHARS = 1000;
/** The secret, and the one before it. What is missing is made up. */
const SECRETS = 2;

/** Refuses secrets that the scheme can't work with: all deliveries would be refused. */
export function createVerify(scheme: Scheme, secrets: readonly string[]): Verify {
  const decoys = makeDecoys(SECRETS - secrets.length);
  const verifyOwn =
    scheme === "github"
      ? (request: SourceRequest) => verifyGitHub(request, [...secrets, ...decoys])
      : verifyWith([...secrets.map(openStandard), ...decoys.map((decoy) => new Webhook(decoy))]);
  return async (request) => {
    if (schemeOf(request) === scheme) return verifyOwn(request);
    await verifyNothing(request);
    return false;
  };
}

/** Does the work of a verification, for nothing. */
export async function verifyNothing(request: SourceRequest): Promise<void> {
  const scheme = schemeOf(request);
  const decoys = makeDecoys(SECRETS);
  if (scheme === "github") await verifyGitHub(request, decoys);
  else if (scheme === "standard") await verifyWith(decoys.map((decoy) => new Webhook(decoy)))(request);
  else createHmac("sha256", randomBytes(32)).update(request.body).digest();
}

function schemeOf({ headers }: SourceRequest): Scheme | null {
  if (GITHUB_SIGNATURE.test(headers.get(GITHUB_HEADER) ?? "")) return "github";
  const values = STANDARD_HEADERS.map((name) => headers.get(name) ?? "");
  return values.every((value) => value !== "" && value.length <= MAX_HEADER_CHARS) ? "standard" : null;
}

async function verifyGitHub({ headers, body }: SourceRequest, secrets: readonly string[]): Promise<boolean> {
  const text = Buffer.from(body).toString();
  let isSigned = false;
  for (const secret of secrets) if (await verify(secret, text, headers.get(GITHUB_HEADER) ?? "")) isSigned = true;
  return isSigned;
}

function verifyWith(hooks: readonly Webhook[]): Verify {
  return async ({ headers, body }) => {
    const shown = Object.fromEntries(STANDARD_HEADERS.map((name) => [name, headers.get(name) ?? ""]));
    let isSigned = false;
    for (const hook of hooks) if (isSignedBy(hook, Buffer.from(body), shown)) isSigned = true;
    return isSigned;
  };
}

function isSignedBy(hook: Webhook, body: Buffer, headers: Record<string, string>): boolean {
  try {
    hook.verify(body, headers);
    return true;
  } catch (error) {
    // The library reads the body as JSON when the signature was right. A body that is none was signed all the same.
    return error instanceof SyntaxError;
  }
}

function makeDecoys(count: number): string[] {
  return Array.from({ length: count }, () => randomBytes(32).toString("base64"));
}

function openStandard(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    const hint =
      "A secret of Standard Webhooks is base64, usually behind `whsec_`. `--set scheme=github` is for GitHub's.";
    throw new SourceRefused("Its secret is not one of Standard Webhooks.", hint);
  }
}
