import type { Sql } from "../../ledger/index.ts";

/** Of what there can be a cap: runs of an agent, runs in a workspace, runs of a user. */
export const CAP_SCOPES = ["agent", "workspace", "user"] as const;
export type CapScope = (typeof CAP_SCOPES)[number];

export interface Cap {
  scope: CapScope;
  /** `*`: each one that has no cap of its own. */
  name: string;
  /** How many of its runs are carried out at once, on all workers together. */
  most: number;
}

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
