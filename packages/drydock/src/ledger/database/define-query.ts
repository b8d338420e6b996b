import type { Compilable, CompiledQuery, DialectAdapter } from "kysely";
import type { LedgerAdapter } from "./features.ts";
import type { LedgerDatabase } from "./schema.ts";

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query whose text Kysely builds once per database instead of once per call; that building is most of what a small
 * query costs. `build` gets a placeholder for each parameter, never real values.
 */
export function defineQuery<P extends object, R = unknown>(
  build: (db: LedgerDatabase, parameter: (name: keyof P & string) => never) => Compilable<R>,
): (db: LedgerDatabase, parameters: P) => Promise<R[]> {
  const templates = new WeakMap<DialectAdapter, CompiledQuery<R>>();
  return async (db, parameters) => {
    const { adapter } = db.getExecutor();
    let template = templates.get(adapter);
    if (!template) {
      template = build(db, (name) => new Placeholder(name) as never).compile();
      templates.set(adapter, template);
    }
    const values = template.parameters.map((value) =>
      value instanceof Placeholder ? parameters[value.name as keyof P] : value,
    );
    const query = { ...template, parameters: values };
    // Inside a transaction the connection is ours alone: the way to it through Kysely costs more than the query.
    const direct = db.isTransaction ? (adapter as Partial<LedgerAdapter>).execute : undefined;
    const result = direct ? direct<R>(query) : await db.executeQuery<R>(query);
    return result.rows;
  };
}
