import type { Cap } from "@drydock/protocol";
import type { Sql } from "../../ledger/index.ts";

/** Of what there can be a cap. */
export const CAP_SCOPES = ["agent", "workspace", "user"] as const satisfies readonly Cap["scope"][];

export async function listCaps(sql: Sql): Promise<Cap[]> {
  return sql<Cap & Record<string, unknown>>("select scope, name, most from drydock_queue.caps order by scope, name");
}

/** Null removes it. */
export async function setCap(sql: Sql, { scope, name }: Omit<Cap, "most">, most: number | null): Promise<void> {
  if (most === null) {
    await sql("delete from drydock_queue.caps where scope = $1 and name = $2", [scope, name]);
    return;
  }
  await sql(
    `insert into drydock_queue.caps (scope, name, most) values ($1, $2, $3)
     on conflict (scope, name) do update set most = excluded.most`,
    [scope, name, most],
  );
}
