import { countWord, type DoctorFinding } from "@drydock/protocol";
import { listUpstreams } from "../upstreams/index.ts";
import type { SettingsPorts } from "./check-settings.ts";

/** Null where none is configured. No request is sent: `drydock upstream test` sends one. */
export async function checkUpstreams({ home, config, policies }: SettingsPorts): Promise<DoctorFinding | null> {
  const found = await listUpstreams({ home, environment: config.environment, policies });
  if (found.length === 0) return null;
  const broken = found.filter(({ problem }) => problem !== null);
  const unnamed = found.filter(({ allowed }) => !allowed).map(({ name }) => name);
  if (broken.length > 0) {
    const detail = broken.map(({ problem }) => problem).join(" ");
    return { name: "upstreams", state: "limited", detail, remedy: "Run drydock upstream list for the others." };
  }
  const names = found.map(({ name }) => name).join(", ");
  if (unnamed.length > 0) {
    const remedy = `To let runs ask for it: drydock policy allow upstream ${unnamed.join(" ")}`;
    return { name: "upstreams", state: "limited", detail: `no run may use ${unnamed.join(", ")}`, remedy };
  }
  return { name: "upstreams", state: "ok", detail: `${countWord(found.length, "upstream")} with a key: ${names}` };
}
