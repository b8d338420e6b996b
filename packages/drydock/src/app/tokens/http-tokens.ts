import { randomBytes, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { DrydockError, HttpTokenInfo, type TokenScope } from "@drydock/protocol";
import * as z from "zod";
import { waitForFileLock } from "../../base/locks/index.ts";
import { replaceFile } from "../runs/replace-file.ts";
import { digestToken } from "./digest-token.ts";
import { MAX_OWN_FILE_BYTES, readOwnFile } from "./read-own-file.ts";

/** What is kept of a token: its hash, never the token itself. */
const StoredToken = z.strictObject({
  id: z.string().regex(/^tok_[0-9a-f]{12}$/),
  name: z.string().max(100),
  scope: HttpTokenInfo.shape.scope,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.string(),
});
const MAX_TOKENS = 1000;
const TokenFile = z.strictObject({ version: z.literal(1), tokens: z.array(StoredToken).max(MAX_TOKENS) });

const PATIENCE_MS = 10_000;

export function httpTokensPath(home: string): string {
  return join(home, "http-tokens.json");
}

/** Makes a token, and returns it this once. A name belongs to one valid token at most; any number may have none. */
export async function createHttpToken(
  home: string,
  { scope, name, now = new Date() }: { scope: TokenScope; name: string; now?: Date },
): Promise<HttpTokenInfo & { token: string }> {
  const token = `ddt_${randomBytes(32).toString("base64url")}`;
  const info = { id: `tok_${randomBytes(6).toString("hex")}`, name, scope, createdAt: now.toISOString() };
  await change(home, (tokens) => {
    refuseName(name, tokens);
    return [...tokens, { ...info, sha256: digestToken(token).toString("hex") }];
  });
  return { ...info, token };
}

export function listHttpTokens(home: string): HttpTokenInfo[] {
  return readTokens(home).map(({ sha256: _, ...info }) => info);
}

/** Revokes the token of this id or name. Running servers notice it with their next request. */
export async function revokeHttpToken(home: string, idOrName: string): Promise<HttpTokenInfo> {
  let revoked: HttpTokenInfo | undefined;
  await change(home, (tokens) => {
    const { sha256: _, ...found } = findToken(tokens, idOrName);
    revoked = found;
    return tokens.filter(({ id }) => id !== found.id);
  });
  if (!revoked) throw new TypeError("A change that succeeded found its token.");
  return revoked;
}

type Token = z.infer<typeof StoredToken>;

function refuseName(name: string, tokens: readonly Token[]): void {
  if (/^tok_/.test(name)) {
    const message = `A token can't be named ${name}: names that start with tok_ would look like ids.`;
    throw new DrydockError("input.invalid", message, "Choose another name.", { name });
  }
  const other = name === "" ? undefined : tokens.find((token) => token.name === name);
  if (!other) return;
  const hint = `Choose another name, or revoke that token first: drydock token revoke ${other.id}`;
  const message = `There is already a token named ${JSON.stringify(name)}: ${other.id}.`;
  throw new DrydockError("input.invalid", message, hint, { name, id: other.id });
}

/** Homes of earlier versions may hold several tokens of one name. */
function findToken(tokens: readonly Token[], idOrName: string): Token {
  const found = tokens.filter(({ id, name }) => id === idOrName || (idOrName !== "" && name === idOrName));
  const [only, ...others] = found;
  if (!only) {
    const hint = "`drydock token list` shows the ids and names of all tokens.";
    const message = `There is no token with the id or name ${JSON.stringify(idOrName)}.`;
    throw new DrydockError("input.invalid", message, hint, { id: idOrName });
  }
  if (others.length === 0) return only;
  const ids = found.map(({ id }) => id);
  const hint = `Give the id of one of them: ${ids.join(", ")}.`;
  const message = `${found.length} tokens are named ${JSON.stringify(idOrName)}.`;
  throw new DrydockError("input.invalid", message, hint, { name: idOrName, ids });
}

/** The scope of the token with this digest; null where there is none. All are compared, each in the same time. */
export function findTokenScope(home: string, wanted: Buffer): TokenScope | null {
  let found: TokenScope | null = null;
  for (const { sha256, scope } of readTokens(home))
    if (timingSafeEqual(Buffer.from(sha256, "hex"), wanted)) found = scope;
  return found;
}

function readTokens(home: string): Token[] {
  const again = "remove it and create the tokens again";
  return readOwnFile(TokenFile, { path: httpTokensPath(home), what: "tokens", again })?.tokens ?? [];
}

async function change(home: string, edit: (tokens: Token[]) => Token[]): Promise<void> {
  const path = httpTokensPath(home);
  const refuse = () =>
    new DrydockError("input.invalid", "Another process is changing the tokens of this home.", "Try again.");
  using _lock = await waitForFileLock(`${path}.lock`, { patienceMs: PATIENCE_MS, refuse });
  const file = { version: 1, tokens: edit(readTokens(home)) };
  const text = `${JSON.stringify(file, null, 2)}\n`;
  // What could not be read again would make all tokens unusable.
  if (file.tokens.length > MAX_TOKENS) {
    const hint = "Revoke one that is not used: `drydock token list` shows them, `drydock token revoke ID` removes one.";
    throw new DrydockError("input.invalid", `A home can have at most ${MAX_TOKENS} tokens.`, hint, { file: path });
  }
  if (!TokenFile.safeParse(file).success || Buffer.byteLength(text) > MAX_OWN_FILE_BYTES) {
    const hint = "A name can have at most 100 characters.";
    throw new DrydockError("input.invalid", "The token can't be stored.", hint, { file: path });
  }
  await replaceFile(path, text);
}
