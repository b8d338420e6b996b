import { DrydockError, type RunKind } from "@drydock/protocol";
import type { Runs } from "../../app/index.ts";

const PAGE = 1000;

/**
 * The id of the one run whose id starts or ends with what was typed; `run_` may be left out. `last` is the newest run, of one
 * kind where the command takes no other.
 */
export async function resolveRunId(runs: Pick<Runs, "get" | "list">, typed: string, kind?: RunKind): Promise<string> {
  if (typed === "last") return kind === undefined ? (await runs.get(typed)).id : findLast(runs, kind);
  const prefix = typed.startsWith("run_") ? typed : `run_${typed}`;
  try {
    return (await runs.get(prefix)).id;
  } catch (error) {
    if (!(error instanceof DrydockError) || error.code !== "run.not_found") throw error;
    const found = await findByPart(runs, prefix, typed);
    const [only, other] = found;
    if (only !== undefined && other === undefined) return only;
    if (only === undefined) throw noSuchRun(typed);
    const hint = `Give more letters. It could be ${found.slice(0, 5).join(", ")}${found.length > 5 ? ", …" : ""}.`;
    throw new DrydockError("input.invalid", `More than one run's id starts or ends with ${typed}.`, hint, {
      runIds: found,
    });
  }
}

function noSuchRun(typed: string): DrydockError {
  const hint =
    "`drydock runs list` shows the runs there are. An id is `run_` and 26 letters and digits, its beginning or its end; `last` is the newest run. `drydock prune` may have removed it.";
  const message = `There is no run whose id is ${JSON.stringify(typed)}, or starts or ends with it.`;
  return new DrydockError("run.not_found", message, hint, { runId: typed });
}

async function findLast(runs: Pick<Runs, "list">, kind: RunKind): Promise<string> {
  const [newest] = (await runs.list({ limit: 1, kind })).runs;
  if (newest) return newest.id;
  throw new DrydockError(
    "run.not_found",
    `There is no last run of the kind ${kind}: the ledger has none.`,
    "`drydock runs list` shows the runs there are.",
  );
}

async function findByPart(runs: Pick<Runs, "list">, prefix: string, suffix: string): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await runs.list({ limit: PAGE, cursor });
    found.push(...page.runs.map(({ id }) => id).filter((id) => id.startsWith(prefix) || id.endsWith(suffix)));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined && found.length < PAGE);
  return found;
}
