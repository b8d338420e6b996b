import * as z from "zod";
import { defineOperation } from "./operation.ts";

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
} as const;
