import { OPERATIONS, type OperationInput, type OperationResponse } from "@drydock/protocol/http";
import type { Caller, CallOptions } from "./call-operation.ts";
import type { MethodTree } from "./methods.ts";

type Operations = typeof OPERATIONS;
export type Name = keyof Operations;
export type Body<N extends Name> = OperationInput<Operations[N]> extends { body: infer B } ? B : never;
export type Query<N extends Name> = OperationInput<Operations[N]> extends { query?: infer Q } ? Q : never;
export type Answer<N extends Name> = Promise<OperationResponse<Operations[N]>>;

/** `/runs/{id}/events` has the parameter `id`. */
type PathParams<Path extends string> = Path extends `${string}{${string}}${infer Rest}`
  ? [param: string, ...PathParams<Rest>]
  : [];
type Input<N extends Name> = [Body<N>] extends [never]
  ? [Query<N>] extends [never]
    ? []
    : [query?: Query<N>]
  : Record<never, never> extends Body<N>
    ? [body?: Body<N>]
    : [body: Body<N>];
type Method<N extends Name> = (
  ...input: [...PathParams<Operations[N]["path"]>, ...Input<N>, options?: CallOptions]
) => Answer<N>;

export type Methods<T extends MethodTree> = {
  [K in keyof T]: T[K] extends Name ? Method<T[K]> : T[K] extends MethodTree ? Methods<T[K]> : never;
};

/** The methods of a tree, each made from its operation's description. */
export function deriveMethods<T extends MethodTree>(tree: T, { call }: Caller): Methods<T> {
  const entries = Object.entries(tree).map(([name, to]) => [
    name,
    typeof to === "string" ? deriveMethod(to, call) : deriveMethods(to, { call } as Caller),
  ]);
  return Object.fromEntries(entries) as Methods<T>;
}

function deriveMethod(name: Name, call: Caller["call"]) {
  const operation = OPERATIONS[name];
  const params = Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, param = ""]) => param);
  const kind = "body" in operation ? "body" : "query" in operation ? "query" : null;
  return (...given: unknown[]) => {
    const path = Object.fromEntries(params.map((param, index) => [param, given[index]]));
    const rest = given.slice(params.length);
    const input = kind === null ? {} : { [kind]: rest.shift() ?? (kind === "body" ? {} : undefined) };
    const options = rest[0] as CallOptions | undefined;
    return call(operation, { params: path, ...input } as Parameters<typeof call>[1], options);
  };
}
