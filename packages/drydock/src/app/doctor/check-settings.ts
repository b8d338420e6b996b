import { countWord, type DiskUsage, type DoctorFinding, DrydockError } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import type { Config } from "../config.ts";
import type { Policies } from "../policies/index.ts";

export interface SettingsPorts {
  config: Config;
  home: string;
  policies: Policies;
  ledger: Pick<Ledger, "verify" | "database">;
  diskUsage(): Promise<DiskUsage>;
}

const MEGABYTE = 1024 * 1024;

/** What the owner wrote and what the home holds, each blamed by its own name: the sandbox is not at fault for them. */
export async function checkSettings(ports: SettingsPorts): Promise<DoctorFinding[]> {
  return [
    await look("home size", async () => {
      const { totalBytes } = await ports.diskUsage();
      const detail = `${(totalBytes / MEGABYTE).toFixed(1)} MB; drydock du shows what uses the space`;
      return { name: "home size", state: "ok", detail };
    }),
    await look("policy", async () => {
      await ports.policies.resolve({});
      return { name: "policy", state: "ok", detail: "policy.yaml is valid, or not present (defaults apply)" };
    }),
    ...describeDatabase(ports.ledger),
    await look("ledger", async () => {
      const { ok, runs, events, first } = await ports.ledger.verify();
      if (ok)
        return {
          name: "ledger",
          state: "ok",
          detail: `${countWord(runs, "run")}, ${countWord(events, "event")}; hash chain intact`,
        };
      const where = first && first.runId !== "ledger" ? `${first.runId}, event ${first.seq}: ` : "";
      const file = ports.ledger.database.isShared ? "the database" : "ledger.db";
      const remedy = `Run drydock audit verify for details. Restore ${file} from a backup that was made before the damage.`;
      return { name: "ledger", state: "missing", detail: `${where}${first?.problem ?? "the chain is broken"}`, remedy };
    }),
    ...(await checkModel(ports)),
  ];
}

/** The dock is open: the server has answered. */
function describeDatabase({ database }: SettingsPorts["ledger"]): DoctorFinding[] {
  if (!database.isShared) return [];
  return [{ name: "database", state: "ok", detail: `${database.place} (${database.version})` }];
}

async function checkModel(ports: SettingsPorts): Promise<DoctorFinding[]> {
  const { home, config } = ports;
  const { readHomeConfig, readModelSettings } = await import("../models/index.ts");
  const settings = await look("config", async () => {
    await readHomeConfig(home);
    return { name: "config", state: "ok", detail: "config.yaml is valid, or not present (defaults apply)" };
  });
  if (settings.state !== "ok") return [settings];
  const model = await look("model", async () => {
    const { spec, source, detected } = await readModelSettings({ home, environment: config.environment });
    if (spec) {
      const why = detected === null ? `from ${source}` : `because ${detected.variable} is set`;
      return { name: "model", state: "ok", detail: `${spec.join(", then ")} (${why})` };
    }
    const remedy = "Set a key such as ANTHROPIC_API_KEY, or run: drydock model add PROVIDER/NAME";
    const detail =
      "no model is set up; goals are left to repair, which only makes failing tests pass, and tasks need one";
    return { name: "model", state: "limited", detail, remedy };
  });
  const upstreams = await look("upstreams", async () => (await import("./check-upstreams.ts")).checkUpstreams(ports));
  const prompts = await look("prompts", async () => (await import("./check-prompts.ts")).checkPrompts(home));
  return [settings, model, upstreams, prompts].filter((finding) => finding !== null);
}

async function look<T extends DoctorFinding | null>(name: string, act: () => Promise<T>): Promise<T | DoctorFinding> {
  try {
    return await act();
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { name, state: "missing", detail, ...(error instanceof DrydockError && { remedy: error.hint }) };
  }
}
