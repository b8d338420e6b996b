import { explainIssues } from "@drydock/protocol";
import type { Operation, OperationRequest } from "@drydock/protocol/http";
import type * as z from "zod";
import { HttpProblem } from "../guard/http-problem.ts";

/** Checks the parts of a request against the operation's schemas. */
export function readRequest<O extends Operation>(
  operation: O,
  raw: { params: unknown; query: unknown; body: unknown },
): OperationRequest<O> {
  return {
    params: read("the path", operation.params, raw.params),
    query: read("the query", operation.query, raw.query),
    body: read("the body", operation.body, raw.body),
  } as OperationRequest<O>;
}

function read(where: string, schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = explainIssues(parsed.error.issues.slice(0, 5), where);
  throw new HttpProblem(400, {
    message: `The request can't be read: ${problems.join("; ")}.`,
    hint: "GET /openapi.json describes all requests; /docs shows them.",
    data: { problems },
  });
}
