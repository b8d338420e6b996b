import * as z from "zod";
import { defineOperation } from "./operation.ts";

export const SYSTEM = {
  health: defineOperation({
    method: "get",
    path: "/health",
    tag: "system",
    summary: "Whether the server answers",
    response: z.object({
      status: z.literal("ok").describe("Always `ok`: the server answers."),
      version: z.string().describe("Version of Drydock, such as `0.1.0`."),
    }),
    open: true,
  }),
  ready: defineOperation({
    method: "get",
    path: "/ready",
    tag: "system",
    summary: "Whether the server takes work; 503 while it shuts down or its ledger can't be read",
    response: z.object({ ready: z.literal(true).describe("True: the server takes work.") }),
    open: true,
  }),
  metrics: defineOperation({
    method: "get",
    path: "/metrics",
    tag: "system",
    summary: "Metrics in the format of Prometheus",
    media: "text/plain; version=0.0.4; charset=utf-8",
  }),
} as const;
