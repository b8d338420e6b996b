import { hash, randomBytes } from "node:crypto";

/** The header by which a visitor shows who it is. No cookie: other sites can't have it sent. */
export const VISITOR_HEADER = "drydock-visitor";
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** 256 bits that nobody guesses. Whoever has them is this visitor; the server keeps none of them. */
export function makeVisitor(): string {
  return randomBytes(32).toString("base64url");
}

/** The id of the visitor's conversation: a hash, because conversations are on record. Null for what is no token. */
export function conversationOfVisitor(token: string | null): string | null {
  return token !== null && TOKEN.test(token) ? `visitor-${hash("sha256", token).slice(0, 32)}` : null;
}
