import * as z from "zod";
import { defineOperation } from "./operation.ts";

const SecretName = z.object({ name: z.string() });

/** Secrets go in, and never come out. */
export const SECRETS = {
  listSecrets: defineOperation({
    method: "get",
    path: "/secrets",
    tag: "secrets",
    summary: "The names of the secrets that extensions can be given",
    response: z.object({ names: z.array(z.string()) }),
  }),
  setSecret: defineOperation({
    method: "post",
    path: "/secrets",
    tag: "secrets",
    summary: "Store a secret; its value is never shown again",
    body: z.strictObject({ name: z.string(), value: z.string() }),
    response: z.object({ name: z.string(), stored: z.literal(true) }),
  }),
  removeSecret: defineOperation({
    method: "delete",
    path: "/secrets/{name}",
    tag: "secrets",
    summary: "Forget a secret",
    params: SecretName,
    response: z.object({ name: z.string(), removed: z.boolean() }),
  }),
} as const;
