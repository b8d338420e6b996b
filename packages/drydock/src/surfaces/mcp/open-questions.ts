import { randomUUID } from "node:crypto";
import { DrydockError } from "@drydock/protocol";
import { type InputRequiredResult, inputRequired, type ServerContext } from "@modelcontextprotocol/server";
import type * as z from "zod";

const MAX_QUESTIONS = 1000;

/** What a person is asked, and the form that the client shows; `name` is the key of the answer. */
export interface Question {
  message: string;
  name: string;
  form: z.ZodObject;
}

/**
 * Lets the client ask a person. The same call comes back with the answer and the question's id, which only this server
 * can have made.
 */
export function openQuestion<About>(
  questions: Map<string, About>,
  about: About,
  { message, name, form }: Question,
): { id: string; request: InputRequiredResult } {
  const id = randomUUID();
  questions.set(id, about);
  for (const oldest of questions.keys()) {
    if (questions.size <= MAX_QUESTIONS) break;
    questions.delete(oldest);
  }
  const inputRequests = { [name]: inputRequired.elicit({ message, requestedSchema: form }) };
  return { id, request: inputRequired({ inputRequests, requestState: id }) };
}

/**
 * What the question that a call answers is about; null for a call without an answer. A question is answered once, and an
 * answer to one that was never asked, or that does not fit the call, is refused.
 */
export function takeQuestion<About>(
  questions: Map<string, About>,
  { mcpReq }: ServerContext,
  fits: (about: About) => boolean = () => true,
): About | null {
  const id = mcpReq.requestState<string>();
  if (id === undefined) return null;
  const about = questions.get(id);
  questions.delete(id);
  if (about !== undefined && fits(about)) return about;
  const hint = "Make the call again, without an answer.";
  throw new DrydockError("input.invalid", "This server did not ask that question, or it was answered before.", hint);
}
