import * as z from "zod";
import { defineOperation } from "./operation.ts";

const name = z.string().describe("Name of the secret, written like an environment variable: `GITHUB_TOKEN`.");
const SecretName = z.object({ name });

/** Secrets go in, and never come out. */
export const SECRETS = {
  listSecrets: defineOperation({
    method: "get",
    path: "/secrets",
    tag: "secrets",
    client: "secrets.list",
    summary: "The names of the stored secrets",
    description: "Lists the names of the stored secrets. Their values are never shown.",
    scope: "admin",
    response: z.object({ names: z.array(z.string()).describe("Names of the stored secrets. Values are never shown.") }),
  }),
  setSecret: defineOperation({
    method: "post",
    path: "/secrets",
    tag: "secrets",
    client: "secrets.set",
    clientArguments: ["name", "value"],
    summary: "Store a secret; its value is never shown again",
    description:
      "Stores a secret that extensions can use. Its value is never shown again, and is removed from records.",
    scope: "admin",
    body: z.strictObject({
      name,
      value: z.string().describe("The secret itself. It is stored and never shown again."),
    }),
    response: z.object({ name, stored: z.literal(true).describe("True once the secret is stored.") }),
  }),
  removeSecret: defineOperation({
    method: "delete",
    path: "/secrets/{name}",
    tag: "secrets",
    client: "secrets.remove",
    summary: "Delete a secret",
    description: "Deletes a stored secret. Extensions that need it fail from then on.",
    scope: "admin",
    params: SecretName,
    response: z.object({ name, removed: z.boolean().describe("False if there was no such secret.") }),
  }),
} as const;
