import * as z from "zod";
import { defineSourceType } from "../adapter.ts";

const Origin = z
  .string()
  .regex(/^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/, "an origin is a scheme and a host, such as https://www.example.org");

export const WebchatSettings = z.strictObject({
  title: z.string().min(1).max(100).default("Chat").describe("What stands above the chat."),
  greeting: z.string().max(2000).optional().describe("What is shown before the first message."),
  origins: z
    .array(Origin)
    .max(50)
    .default([])
    .describe(
      "Sites whose pages may embed the chat, such as https://www.example.org. Default: none; it has a page of its own.",
    ),
  files: z.boolean().default(true).describe("Whether visitors may send files, at most 5 of 10 MB each with a message."),
  messages_per_minute: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(20)
    .describe("How many messages a visitor may send in a minute. All visitors together may send 30 times as many."),
});
export type WebchatSettings = z.output<typeof WebchatSettings>;

export const webchatType = defineSourceType({
  type: "webchat",
  summary: "A chat for visitors of web sites, with a page at /chat/ID that other sites can embed.",
  settings: WebchatSettings,
  secrets: {},
  eventSource: "webui",
  events: ["message.received"],
  answers: { maxMessageChars: null, editEveryMs: null, isFollowed: true },
  runs: "everywhere",
  path: { prefix: "/chat/", by: "id" },
  load: async () => (await import("./webchat-program.ts")).webchatProgram,
});
