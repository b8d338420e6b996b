import type * as z from "zod";

/**
 * One HTTP operation. The server, its OpenAPI document and the typed client are all made from this one description, so
 * that they can't say different things.
 */
export interface Operation {
  readonly method: "get" | "post" | "patch" | "delete";
  /** With `{name}` for each parameter. */
  readonly path: `/${string}`;
  readonly tag: string;
  /** The client's method that calls it, such as `runs.list`. Null: there is none, or one that is written by hand. */
  readonly client: string | null;
  /** Fields of the body or the query that the client's method takes as arguments of their own, before the others. */
  readonly clientArguments?: readonly string[];
  /** One line, for lists. */
  readonly summary: string;
  /** What it does, what it changes, and what the caller should know. Full sentences. */
  readonly description: string;
  /**
   * The least scope that a token needs. `read`: looks at what is recorded. `run`: runs things within the policy, and
   * delivers their results. `admin`: decides, and holds secrets. Null: answered without a token.
   */
  readonly scope: "read" | "run" | "admin" | null;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Bodies of other media types that are taken as well, by type. The route turns them into `body`. */
  readonly otherBodies?: Readonly<Record<string, z.ZodType>>;
  /** Of an answer that is no error. Default 200. */
  readonly status?: 200 | 201 | 202;
  /** The shape of the JSON answer; absent where `media` names another kind. */
  readonly response?: z.ZodType;
  readonly media?: string;
  /** Other kinds that a query can ask for. */
  readonly otherMedia?: readonly string[];
  /** What went wrong can be an answer of the same shape, too; it comes with the status of its error. */
  readonly answersErrors?: true;
  /**
   * With `Accept: text/event-stream` the answer is a stream of server-sent events. `calls`: what happens meanwhile
   * (`output`, `text`, `event`), and at the end one `result` or `error`; `events`: a run's events, numbered.
   */
  readonly streams?: "calls" | "events";
  /** Takes an `Idempotency-Key`: a second request with the same key and body is not executed again. */
  readonly idempotent?: true;
}

/** Keeps the exact type of its argument. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}

type Part<O extends Operation, K extends "params" | "query" | "body"> = O[K] extends z.ZodType ? O[K] : never;

/** What a caller gives. */
export type OperationInput<O extends Operation> = ([Part<O, "params">] extends [never]
  ? unknown
  : { params: z.input<Part<O, "params">> }) &
  ([Part<O, "query">] extends [never] ? unknown : { query?: z.input<Part<O, "query">> }) &
  ([Part<O, "body">] extends [never] ? unknown : { body: z.input<Part<O, "body">> });

/** What the server works with, once it has been read and checked. */
export interface OperationRequest<O extends Operation> {
  params: [Part<O, "params">] extends [never] ? undefined : z.output<Part<O, "params">>;
  query: [Part<O, "query">] extends [never] ? undefined : z.output<Part<O, "query">>;
  body: [Part<O, "body">] extends [never] ? undefined : z.output<Part<O, "body">>;
}

export type OperationResponse<O extends Operation> = O["response"] extends z.ZodType ? z.output<O["response"]> : string;
