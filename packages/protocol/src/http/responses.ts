import * as z from "zod";
import { ResponseInfo, ResponseTotals } from "../extension/index.ts";
import { defineOperation } from "./operation.ts";

const ResponseText = ResponseInfo.extend({ text: z.string() });
const OfSession = z.strictObject({ session: z.string().min(1) });

/** What extensions answered. */
export const RESPONSES = {
  listResponses: defineOperation({
    method: "get",
    path: "/responses",
    tag: "responses",
    summary: "What extensions answered in a conversation, the newest first",
    query: OfSession.extend({ limit: z.coerce.number().int().min(1).max(1000).optional() }),
    response: z.object({ responses: z.array(ResponseInfo) }),
  }),
  clearResponses: defineOperation({
    method: "delete",
    path: "/responses",
    tag: "responses",
    summary: "Forget what extensions answered in a conversation",
    query: OfSession,
    response: z.object({ session: z.string(), removed: z.number().int() }),
  }),
  getLastResponse: defineOperation({
    method: "get",
    path: "/responses/last",
    tag: "responses",
    summary: "The last answer of a conversation; null where there is none",
    query: OfSession,
    response: z.object({ response: ResponseText.nullable() }),
  }),
  countResponses: defineOperation({
    method: "get",
    path: "/responses/totals",
    tag: "responses",
    summary: "How much is kept, in a conversation or in all",
    query: z.strictObject({ session: z.string().min(1).optional() }),
    response: ResponseTotals,
  }),
  getResponse: defineOperation({
    method: "get",
    path: "/responses/{id}",
    tag: "responses",
    summary: "One answer, as far as it is kept as text",
    params: z.object({ id: z.string() }),
    response: ResponseText,
  }),
} as const;
