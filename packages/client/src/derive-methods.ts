import { OPERATIONS, type Operation, type OperationInput, type OperationResponse } from "@drydock/protocol/http";
import type { Caller, CallOptions } from "./call-operation.ts";

type Operations = typeof OPERATIONS;
type Name = keyof Operations;

/** `"runs.list"` → `"listRuns"`, for each operation that names its method. */
type Named = { [N in Name as NonNullable<Operations[N]["client"]>]: N };
type Path = keyof Named & string;

/** `/runs/{id}/events` has the parameter `id`. */
type PathParams<P extends string> = P extends `${string}{${string}}${infer Rest}`
  ? [param: string, ...PathParams<Rest>]
  : [];

/** The body or the query of an operation; never for one that has neither. */
type Fields<N extends Name> =
  OperationInput<Operations[N]> extends { body: infer Body }
    ? Body
    : OperationInput<Operations[N]> extends { query?: infer Query }
      ? Query
      : never;
type Own<N extends Name> = Operations[N] extends { clientArguments: infer A extends readonly string[] } ? A : [];
type Arguments<F, A extends readonly string[]> = A extends readonly [infer K, ...infer More extends readonly string[]]
  ? K extends keyof F
    ? Record<never, never> extends Pick<F, K>
      ? [argument?: F[K], ...Arguments<F, More>]
      : [argument: F[K], ...Arguments<F, More>]
    : never
  : [];
type Others<F> = [keyof F] extends [never] ? [] : Record<never, never> extends F ? [fields?: F] : [fields: F];
type Input<N extends Name> = [Fields<N>] extends [never]
  ? []
  : Own<N> extends readonly []
    ? Record<never, never> extends Fields<N>
      ? [fields?: Fields<N>]
      : [fields: Fields<N>]
    : [...Arguments<Fields<N>, Own<N>>, ...Others<Omit<Fields<N>, Own<N>[number]>>];

type Method<N extends Name> = (
  ...input: [...PathParams<Operations[N]["path"]>, ...Input<N>, options?: CallOptions]
) => Promise<OperationResponse<Operations[N]>>;

type Head<P extends string> = P extends `${infer H}.${string}` ? H : P;
type Below<P extends string, H extends string> = P extends `${H}.${infer Rest}` ? Rest : never;
type Tree<Prefix extends string, P extends string> = {
  readonly [H in Head<P>]: `${Prefix}${H}` extends Path
    ? Method<Named[`${Prefix}${H}`]>
    : Tree<`${Prefix}${H}.`, Below<P, H>>;
};

/**
 * A method per operation, at the place that the operation names. Each takes the parameters of the path in order, then the
 * operation's `clientArguments`, then the other fields of the body or the query, then options.
 */
export type Methods = Tree<"", Path>;

interface Branch {
  [name: string]: Branch | ((...args: unknown[]) => unknown);
}

export function deriveMethods(caller: Caller): Methods {
  const root: Branch = {};
  const operations: Operation[] = Object.values(OPERATIONS);
  for (const operation of operations) {
    if (operation.client === null) continue;
    const groups = operation.client.split(".");
    const name = groups.pop() ?? "";
    let branch = root;
    for (const group of groups) {
      branch[group] ??= {};
      branch = branch[group] as Branch;
    }
    branch[name] = deriveMethod(operation, caller);
  }
  return root as unknown as Methods;
}

function deriveMethod(operation: Operation, { call }: Caller) {
  const params = Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, param = ""]) => param);
  const kind = operation.body ? "body" : operation.query ? "query" : null;
  const own = operation.clientArguments ?? [];
  const hasOthers = kind !== null && (own.length === 0 || countFields(operation[kind]) > own.length);
  return (...args: unknown[]) => {
    const rest = [...args];
    const path = Object.fromEntries(params.map((param) => [param, rest.shift()]));
    const first = Object.fromEntries(own.map((name) => [name, rest.shift()]));
    const fields = hasOthers ? { ...first, ...Object(rest.shift()) } : first;
    const options = rest[0] as CallOptions | undefined;
    const input = { params: path, ...(kind === null ? {} : { [kind]: fields }) };
    return call(operation, input as Parameters<typeof call>[1], options);
  };
}

/** How many fields a schema has, where it is an object's. */
function countFields(schema: unknown): number {
  const { shape } = Object(schema) as { shape?: object };
  return shape === undefined ? Number.POSITIVE_INFINITY : Object.keys(shape).length;
}
