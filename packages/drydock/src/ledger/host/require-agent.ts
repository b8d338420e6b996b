import { DrydockError } from "@drydock/protocol";
import type { AgentsTable, LedgerTransaction } from "../database/schema.ts";

export const findAgent = (trx: LedgerTransaction, name: string) =>
  trx.selectFrom("agents").selectAll().where("name", "=", name).executeTakeFirst();

/** The agent of this name, or `agent.not_found`. */
export async function requireAgent(trx: LedgerTransaction, name: string): Promise<AgentsTable> {
  const row = await findAgent(trx, name);
  if (row) return row;
  throw new DrydockError("agent.not_found", `There is no agent ${name}.`, "`drydock agent list` shows all agents.", {
    agent: name,
  });
}

export function tooMany(what: string, most: number): DrydockError {
  return new DrydockError(
    "input.invalid",
    `A home can have at most ${most} ${what}.`,
    "Remove some that are not used.",
  );
}
