import * as z from "zod";
import { defineOperation } from "./operation.ts";

const required = z.boolean().describe("False: the server asks for no token, and nobody need sign in.");
const secret = z.string().min(16).max(1000);

/** The server itself: whether it works, and how a browser gets a cookie in the place of a token. */
export const SYSTEM = {
  health: defineOperation({
    method: "get",
    path: "/health",
    tag: "system",
    client: "health",
    summary: "Whether the server answers",
    description: "Answers as long as the server runs. Needs no token.",
    scope: null,
    response: z.object({
      status: z.literal("ok").describe("Always `ok`: the server answers."),
      version: z.string().describe("Version of Drydock, such as `0.1.0`."),
    }),
  }),
  ready: defineOperation({
    method: "get",
    path: "/ready",
    tag: "system",
    client: "ready",
    summary: "Whether the server takes work; 503 while it shuts down or its ledger can't be read",
    description:
      "Answers 200 if the server accepts work, and 503 while it shuts down or can't read its ledger. Needs no token.",
    scope: null,
    response: z.object({ ready: z.literal(true).describe("True: the server takes work.") }),
  }),
  metrics: defineOperation({
    method: "get",
    path: "/metrics",
    tag: "system",
    client: "metrics",
    summary: "Metrics in the format of Prometheus",
    description: "Writes counters and timings of this server as text that Prometheus reads.",
    scope: "read",
    media: "text/plain; version=0.0.4; charset=utf-8",
  }),
  signIn: defineOperation({
    method: "post",
    path: "/api/sign-in",
    tag: "sign-in",
    client: "console.signIn",
    summary: "Sign a browser in, by a code that works once, or by a token",
    description:
      "Sets a cookie that stands for a token and opens what that opens, for a week, until it is revoked or signed out. A code of `drydock open` works once, for ten minutes. The request must come from a page of this server.",
    scope: null,
    body: z.union([
      z.strictObject({ code: secret.describe("The code in the address that `drydock open` or `drydock serve` gave.") }),
      z.strictObject({ token: secret.describe("A token: the owner's, or one of `drydock token create`.") }),
    ]),
    response: z.object({ required }),
  }),
  signOut: defineOperation({
    method: "delete",
    path: "/api/sign-in",
    tag: "sign-in",
    client: "console.signOut",
    summary: "Sign a browser out",
    description:
      "Ends the sign-in of this cookie, and removes the cookie. The request must come from a page of this server.",
    scope: null,
    response: z.object({ required }),
  }),
  getSignIn: defineOperation({
    method: "get",
    path: "/api/sign-in",
    tag: "sign-in",
    client: "console.who",
    summary: "Whether this browser is signed in, and what it may do",
    description:
      "Says whether the server asks for a sign-in, and what the cookie of this request opens. Needs no token.",
    scope: null,
    response: z.object({
      required,
      scope: z
        .enum(["read", "run", "admin"])
        .nullable()
        .describe("What may be done; null if a sign-in is needed, and there is none."),
      expiresAt: z.string().nullable().describe("When the sign-in ends, ISO 8601 in UTC; null without one."),
    }),
  }),
} as const;
