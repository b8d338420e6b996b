import * as z from "zod";
import { HttpTokenInfo } from "../home/index.ts";
import { defineOperation } from "./operation.ts";

const tag = "tokens";

/**
 * Tokens that open everything are made at the machine only: whoever has a browser of the owner for a while must not be able to
 * keep what it opens.
 */
export const TOKENS = {
  listTokens: defineOperation({
    method: "get",
    path: "/tokens",
    tag,
    client: "tokens.list",
    summary: "The tokens that were made for this server",
    description: "Lists the tokens beside the owner's own by id, name and scope. The tokens themselves are not kept.",
    scope: "admin",
    response: z.object({ tokens: z.array(HttpTokenInfo).describe("The tokens, the oldest first.") }),
  }),
  createToken: defineOperation({
    method: "post",
    path: "/tokens",
    tag,
    client: "tokens.create",
    summary: "Make a token that looks, or looks and runs",
    description:
      "Makes a token with the scope `read` or `run`, and returns it this once. One with the scope `admin` is made at the machine: `drydock token create --scope admin`.",
    scope: "admin",
    body: z.strictObject({
      scope: z.enum(["read", "run"]).describe("What it opens: `read` looks, `run` runs things and delivers as well."),
      name: z.string().trim().min(1).max(100).describe("What it is for. No two tokens have the same name."),
    }),
    status: 201,
    response: HttpTokenInfo.extend({ token: z.string().describe("The token. It can't be shown again.") }),
  }),
  revokeToken: defineOperation({
    method: "delete",
    path: "/tokens/{id}",
    tag,
    client: "tokens.revoke",
    summary: "Revoke a token",
    description: "Revokes a token. All servers of this home refuse it from then on, and browsers that used it.",
    scope: "admin",
    params: z.object({
      id: z
        .string()
        .regex(/^tok_[0-9a-f]{12}$/)
        .describe("Id of the token, `tok_…`."),
    }),
    response: HttpTokenInfo,
  }),
} as const;
