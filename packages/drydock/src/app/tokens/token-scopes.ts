/** What a token for the HTTP server opens; each includes those before it. */
export const TOKEN_SCOPES = ["read", "run", "admin"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
