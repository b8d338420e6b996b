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

/** The OpenAPI 3.1 document of these operations. Zod writes JSON Schema 2020-12, which is OpenAPI 3.1's own. */
export function writeOpenApi(operations: Readonly<Record<string, Operation>>, version: string): Json {
  const entries = Object.entries(operations);
  const pick = (part: "body" | "response", shapes: Record<string, z.ZodType>) => ({
    ...shapes,
    ...Object.fromEntries(entries.flatMap(([name, each]) => (each[part] ? [[partName(name, part), each[part]]] : []))),
  });
  const requests = writeShapes(pick("body", REQUEST_SHAPES), "input");
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
      description: "Runs AI-written work in a sealed dock, under its owner's policy.",
    },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: {
        ...gatherShapes([paths, named], { ...requests, ...responses }),
        ...named,
        ErrorAnswer: {
          type: "object",
          properties: { error: { $ref: "#/components/schemas/Error" } },
          required: ["error"],
        },
      },
    },
  };
}

function partName(name: string, part: string): string {
  return `${name}.${part}`;
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
    ...(operation.open ? { security: [] } : {}),
    parameters: [
      ...listParameters(operation.params, "path"),
      ...listParameters(operation.query, "query"),
      ...(operation.idempotent ? [{ name: "Idempotency-Key", in: "header", schema: { type: "string" } }] : []),
      ...(streams === "events" ? [{ name: "Last-Event-ID", in: "header", schema: { type: "string" } }] : []),
    ],
    ...(body ? { requestBody: { content: { "application/json": { schema: requests[partName(name, "body")] } } } } : {}),
    responses: {
      [operation.status ?? 200]: { description: operation.summary, content },
      default: {
        description: "What went wrong, by its code, and what can be done about it",
        content: { "application/json": { schema: answersErrors ? { anyOf: [outcome, refusal] } : refusal } },
      },
    },
  };
}

function listParameters(schema: z.ZodObject | undefined, place: "path" | "query"): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema) as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: each,
  }));
}
