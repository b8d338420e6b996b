import * as z from "zod";
import { defineSourceType } from "../adapter.ts";

export const WEBHOOK_SCHEMES = ["standard", "github"] as const;

export const WebhookSettings = z.strictObject({
  scheme: z
    .enum(WEBHOOK_SCHEMES)
    .default("standard")
    .describe("How deliveries are signed: `standard` as Standard Webhooks says, or `github`."),
  text: z
    .string()
    .max(10_000)
    .optional()
    .describe("What the agent is told with each event, such as what it is to do. Default: nothing but the event."),
  conversation: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("The conversation that its events belong to, with one history. Default: each event stands for itself."),
  identify: z
    .enum(["body", "delivery"])
    .default("body")
    .describe(
      "What makes a delivery of GitHub the same as an earlier one. `body`: what is signed. `delivery`: its number, which is not signed: for hooks that send the same body twice and mean it.",
    ),
});

export const webhookType = defineSourceType({
  type: "webhook",
  summary: "Takes signed requests of other services at /hooks/NAME.",
  settings: WebhookSettings,
  secrets: {
    secret: {
      description:
        "What deliveries are signed with: `whsec_…` of Standard Webhooks, or the secret of a GitHub webhook.",
      required: true,
    },
    previous: { description: "The secret before that one, as long as it is still used.", required: false },
  },
  eventSource: "api",
  events: ["webhook.received", "github.*"],
  answers: null,
  runs: "everywhere",
  path: { prefix: "/hooks/", by: "name" },
  load: async () => (await import("./webhook-program.ts")).webhookProgram,
});
