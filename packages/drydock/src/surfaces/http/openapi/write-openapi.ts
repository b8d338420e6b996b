import {
  Approval,
  CapabilityOutcome,
  Check,
  EffectivePolicy,
  ErrorInfo,
  ExecResult,
  InstalledExtension,
  Plan,
  PolicyDocument,
  Profile,
  ResponseInfo,
  Run,
  RunEvent,
  SessionInfo,
} from "@drydock/protocol";
import type { Operation } from "@drydock/protocol/http";
import * as z from "zod";
import { gatherShapes, writeShapes } from "./write-shapes.ts";

type Json = Record<string, unknown>;

/** Shapes that stand in many places, and are written once under their name. */
const REQUEST_SHAPES = { PolicyDocument, Check, Plan };
const RESPONSE_SHAPES = {
  ...{ Run, RunEvent, ExecResult, SessionInfo, EffectivePolicy, Profile, Error: ErrorInfo },
  ...{ InstalledExtension, CapabilityOutcome, Approval, ResponseInfo },
};

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "A text of your choice, 1 to 255 characters, such as a UUID. The same key and body within 24 hours get the same answer, and nothing is done twice.",
  schema: { type: "string" },
};
const LAST_EVENT_ID = {
  name: "Last-Event-ID",
  in: "header",
  description: "Number of the last event that was received: a stream continues after it.",
  schema: { type: "string" },
};

const TOKENS =
  "A token of `drydock token create --scope SCOPE`, or the owner's. Scopes, each with all before it: `read` shows what is recorded; `run` also runs things within the policy and delivers results; `admin` also decides approvals and profiles, sets secrets and changes extensions.";

/** The OpenAPI 3.1 document of these operations. Zod writes JSON Schema 2020-12, which is OpenAPI 3.1's own. */
export function writeOpenApi(operations: Readonly<Record<string, Operation>>, version: string): Json {
  const entries = Object.entries(operations);
  const others = Object.fromEntries(
    entries.flatMap(([name, { otherBodies = {} }]) =>
      Object.entries(otherBodies).map(([media, shape]) => [partName(name, media), shape]),
    ),
  );
  const pick = (part: "body" | "response", shapes: Record<string, z.ZodType>) => ({
    ...shapes,
    ...Object.fromEntries(entries.flatMap(([name, each]) => (each[part] ? [[partName(name, part), each[part]]] : []))),
  });
  const requests = writeShapes({ ...pick("body", REQUEST_SHAPES), ...others }, "input");
  const responses = writeShapes(pick("response", RESPONSE_SHAPES), "output");
  const paths: Record<string, Json> = {};
  for (const [name, operation] of entries) {
    const described = { [operation.method]: describe(name, operation, requests, responses) };
    paths[operation.path] = { ...paths[operation.path], ...described };
  }
  const named = {
    ...Object.fromEntries(Object.keys(REQUEST_SHAPES).map((name) => [name, requests[name]])),
    ...Object.fromEntries(Object.keys(RESPONSE_SHAPES).map((name) => [name, responses[name]])),
  };
  return {
    openapi: "3.1.0",
    info: {
      title: "Drydock",
      version,
      description: "Runs AI-written code and changes in a sandbox, under the owner's policy, and records everything.",
    },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer", description: TOKENS } },
      schemas: {
        ...gatherShapes([paths, named], { ...requests, ...responses }),
        ...named,
        ErrorAnswer: {
          type: "object",
          properties: {
            error: {
              $ref: "#/components/schemas/Error",
              description: "What went wrong, and what can be done about it.",
            },
          },
          required: ["error"],
        },
      },
    },
  };
}

function partName(name: string, part: string): string {
  // Names of shapes hold no slashes: media types do.
  return `${name}.${part.replaceAll(/[^A-Za-z0-9]/g, "_")}`;
}

function describe(name: string, operation: Operation, requests: Json, responses: Json): Json {
  const { body, media = "application/octet-stream", otherMedia = [], response, streams, answersErrors } = operation;
  const streamed = streams ? { "text/event-stream": { schema: { type: "string" } } } : {};
  const content = response
    ? { "application/json": { schema: responses[partName(name, "response")] }, ...streamed }
    : Object.fromEntries([media, ...otherMedia].map((kind) => [kind, { schema: { type: "string" } }]));
  const refusal = { $ref: "#/components/schemas/ErrorAnswer" };
  const outcome = responses[partName(name, "response")];
  return {
    operationId: name,
    tags: [operation.tag],
    summary: operation.summary,
    description: `${operation.description} ${describeScope(operation)}`,
    security: operation.scope === null ? [] : [{ token: [operation.scope] }],
    "x-drydock-scope": operation.scope,
    parameters: [
      ...listParameters(operation.params, "path"),
      ...listParameters(operation.query, "query"),
      ...(operation.idempotent ? [IDEMPOTENCY_KEY] : []),
      ...(streams === "events" ? [LAST_EVENT_ID] : []),
    ],
    ...(body ? { requestBody: { content: listBodies(name, operation, requests) } } : {}),
    responses: {
      [operation.status ?? 200]: { description: operation.summary, content },
      default: {
        description: "What went wrong, by its code, and what can be done about it",
        content: { "application/json": { schema: answersErrors ? { anyOf: [outcome, refusal] } : refusal } },
      },
    },
  };
}

function listBodies(name: string, { otherBodies = {} }: Operation, requests: Json): Json {
  const others = Object.keys(otherBodies).map((media) => [media, { schema: requests[partName(name, media)] }]);
  return { "application/json": { schema: requests[partName(name, "body")] }, ...Object.fromEntries(others) };
}

function describeScope({ scope }: Operation): string {
  return scope === null ? "Token: none." : `Token: scope \`${scope}\` or higher.`;
}

function listParameters(schema: z.ZodObject | undefined, place: "path" | "query"): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema) as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, each]) => {
    const { description, ...described } = each as Json;
    return { name, in: place, description, required: place === "path" || required.includes(name), schema: described };
  });
}
