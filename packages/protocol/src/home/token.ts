import * as z from "zod";

/** What a token for the HTTP server opens; each includes those before it. */
export const TOKEN_SCOPES = ["read", "run", "admin"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

export const HttpTokenInfo = z.object({
  id: z.string().describe("Id of the token, `tok_…`."),
  name: z.string().describe("Its name; empty if it has none."),
  scope: z.enum(TOKEN_SCOPES).describe("What it opens."),
  createdAt: z.string().describe("When it was made, ISO 8601 in UTC."),
});
export type HttpTokenInfo = z.infer<typeof HttpTokenInfo>;
