import { randomBytes, timingSafeEqual } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import * as z from "zod";
import { waitForFileLock } from "../../base/locks/index.ts";
import { replaceFile } from "../runs/replace-file.ts";
import { digestToken } from "./digest-token.ts";
import { readOwnFile } from "./read-own-file.ts";

/*
 * A browser is signed in by a cookie, which stands for a token. It begins with a code: whoever has the files of the home
 * makes one, a page redeems it once, and gets the cookie for it. Neither a code, a cookie nor the token is in the file,
 * only their hashes. A cookie opens what its token opens at that moment, and nothing once that is revoked.
 */
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const Entry = z.strictObject({ sha256: digest, token: digest, expiresAt: z.number() });
const SignInFile = z.strictObject({ version: z.literal(1), codes: z.array(Entry), cookies: z.array(Entry) });
type SignInFile = z.infer<typeof SignInFile>;
type Entry = z.infer<typeof Entry>;

/** What a browser gets in return for a code or a token. */
export interface SignIn {
  cookie: string;
  /** Milliseconds since 1970. */
  expiresAtMs: number;
}

export const CODE_MS = 10 * 60_000;
export const COOKIE_MS = 7 * 24 * 3_600_000;
/** Where there are more, the oldest go. */
const MOST = { codes: 50, cookies: 200 };
const PATIENCE_MS = 10_000;

function signInsPath(home: string): string {
  return join(home, "http", "sign-ins.json");
}

/** A code that a page redeems once, within ten minutes, for a cookie that stands for the token with this digest. */
export async function createSignInCode(home: string, token: Buffer, now = Date.now()): Promise<string> {
  const code = randomBytes(32).toString("base64url");
  await change(home, now, (file) => {
    file.codes.push(toEntry(code, token, now + CODE_MS));
  });
  return code;
}

/** Null for a code that never was, was redeemed already, or is too old. */
export async function redeemSignInCode(home: string, code: string, now = Date.now()): Promise<SignIn | null> {
  let made: SignIn | null = null;
  await change(home, now, (file) => {
    const found = find(file.codes, code);
    if (!found) return;
    file.codes = file.codes.filter((each) => each !== found);
    made = addCookie(file, Buffer.from(found.token, "hex"), now);
  });
  return made;
}

export async function createSignIn(home: string, token: Buffer, now = Date.now()): Promise<SignIn> {
  let made: SignIn | undefined;
  await change(home, now, (file) => {
    made = addCookie(file, token, now);
  });
  if (!made) throw new TypeError("A change that succeeded made a cookie.");
  return made;
}

/** What a cookie stands for: the digest of its token. Null for one that is none, or has expired. */
export function findSignIn(home: string, cookie: string, now = Date.now()) {
  const found = find(live(read(home).cookies, now), cookie);
  return found ? { token: Buffer.from(found.token, "hex"), expiresAtMs: found.expiresAt } : null;
}

export async function removeSignIn(home: string, cookie: string, now = Date.now()): Promise<void> {
  await change(home, now, (file) => {
    const found = find(file.cookies, cookie);
    file.cookies = file.cookies.filter((each) => each !== found);
  });
}

function addCookie(file: SignInFile, token: Buffer, now: number): SignIn {
  const cookie = randomBytes(32).toString("base64url");
  const expiresAtMs = now + COOKIE_MS;
  file.cookies.push(toEntry(cookie, token, expiresAtMs));
  return { cookie, expiresAtMs };
}

function toEntry(secret: string, token: Buffer, expiresAt: number): Entry {
  return { sha256: digestToken(secret).toString("hex"), token: token.toString("hex"), expiresAt };
}

/** All are compared, each in the same time. */
function find(entries: readonly Entry[], secret: string): Entry | undefined {
  const wanted = digestToken(secret);
  return entries.filter(({ sha256 }) => timingSafeEqual(Buffer.from(sha256, "hex"), wanted))[0];
}

function live(entries: readonly Entry[], now: number): Entry[] {
  return entries.filter(({ expiresAt }) => expiresAt > now);
}

function read(home: string): SignInFile {
  const file = { path: signInsPath(home), what: "sign-ins", again: "remove it: everybody signs in again" };
  return readOwnFile(SignInFile, file) ?? { version: 1, codes: [], cookies: [] };
}

async function change(home: string, now: number, edit: (file: SignInFile) => void): Promise<void> {
  const path = signInsPath(home);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const refuse = () =>
    new DrydockError("input.invalid", "Another process is changing the sign-ins of this home.", "Try again.");
  using _lock = await waitForFileLock(`${path}.lock`, { patienceMs: PATIENCE_MS, refuse });
  const { codes, cookies, version } = read(home);
  const file: SignInFile = { version, codes: live(codes, now), cookies: live(cookies, now) };
  edit(file);
  const kept = { version, codes: file.codes.slice(-MOST.codes), cookies: file.cookies.slice(-MOST.cookies) };
  await replaceFile(path, `${JSON.stringify(kept)}\n`);
}
