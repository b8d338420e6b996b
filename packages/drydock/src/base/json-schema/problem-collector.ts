import type { EvaluationPlugin, ValidationContext } from "@hyperjump/json-schema/experimental";
import type { SchemaProblem } from "./schema-request.ts";

const MAX_PROBLEMS = 20;

export interface Problems {
  first: SchemaProblem[];
  count: number;
}

type Context = ValidationContext & { problems?: Problems };

export interface ProblemCollector extends EvaluationPlugin<Context> {
  found(): Problems;
}

/**
 * Keeps the first keywords that a value does not satisfy, and counts the others: a crafted schema makes more of them than
 * memory holds. What a subschema finds belongs to its keyword, and counts only where that fails too.
 */
export function createProblemCollector(locate: (instance: never) => string): ProblemCollector {
  let last: Problems = { first: [], count: 0 };

  const add = (context: Context, found: Problems) => {
    context.problems ??= { first: [], count: 0 };
    const { first } = context.problems;
    context.problems.count += found.count;
    first.push(...found.first.slice(0, MAX_PROBLEMS - first.length));
  };
  const addOne = (context: Context, keyword: string, instance: unknown) => {
    const hasRoom = (context.problems?.first.length ?? 0) < MAX_PROBLEMS;
    const first = hasRoom ? [{ instance: locate(instance as never), keyword }] : [];
    add(context, { first, count: 1 });
  };

  return {
    afterKeyword([, location], instance, context, valid, schemaContext, keyword) {
      if (valid) return;
      if (!("simpleApplicator" in keyword && keyword.simpleApplicator)) addOne(schemaContext, location, instance);
      if (context.problems) add(schemaContext, context.problems);
    },
    afterSchema(url, instance, context, valid) {
      if (context.ast[url] === false && !valid) addOne(context, url, instance);
      last = context.problems ?? { first: [], count: 0 };
    },
    found: () => last,
  };
}
