import * as z from "zod";
import { ResponseInfo, ResponseTotals } from "../extension/index.ts";
import { defineOperation } from "./operation.ts";
import { limitField } from "./request-fields.ts";

const ResponseText = ResponseInfo.extend({ text: z.string().describe("The response as text, as far as it is kept.") });
const session = z.string().min(1).describe("Name of the conversation, as capability results give it.");
const OfSession = z.strictObject({ session });

/** What extensions answered. */
export const RESPONSES = {
  listResponses: defineOperation({
    method: "get",
    path: "/responses",
    tag: "responses",
    client: "responses.history",
    clientArguments: ["session"],
    summary: "What extensions answered in a conversation, the newest first",
    description: "Lists the responses of extensions that are kept for a conversation, the newest first.",
    scope: "read",
    query: OfSession.extend({ limit: limitField.describe("Responses to list, 1 to 1000. Default: 50.") }),
    response: z.object({ responses: z.array(ResponseInfo).describe("Kept responses, the newest first.") }),
  }),
  clearResponses: defineOperation({
    method: "delete",
    path: "/responses",
    tag: "responses",
    client: "responses.clear",
    clientArguments: ["session"],
    summary: "Delete the responses of a conversation",
    description: "Deletes all responses of a conversation.",
    scope: "run",
    query: OfSession,
    response: z.object({ session, removed: z.number().int().describe("How many responses were removed.") }),
  }),
  getLastResponse: defineOperation({
    method: "get",
    path: "/responses/last",
    tag: "responses",
    client: "responses.last",
    clientArguments: ["session"],
    summary: "The last answer of a conversation; null where there is none",
    description: "Shows the newest response of a conversation; null if there is none.",
    scope: "read",
    query: OfSession,
    response: z.object({ response: ResponseText.nullable().describe("The last response; null without one.") }),
  }),
  countResponses: defineOperation({
    method: "get",
    path: "/responses/totals",
    tag: "responses",
    client: "responses.totals",
    clientArguments: ["session"],
    summary: "Number and size of the stored responses, of one conversation or all",
    description: "Counts the kept responses and their bytes, for one conversation or for all.",
    scope: "read",
    query: z.strictObject({
      session: session.optional().describe("Name of the conversation. Default: all conversations."),
    }),
    response: ResponseTotals,
  }),
  getResponse: defineOperation({
    method: "get",
    path: "/responses/{id}",
    tag: "responses",
    client: "responses.read",
    summary: "One answer, as far as it is kept as text",
    description: "Shows one response as text, as far as it is kept.",
    scope: "read",
    params: z.object({ id: z.string().describe("Id of the response, `res_…`, as `GET /responses` lists it.") }),
    response: ResponseText,
  }),
} as const;
