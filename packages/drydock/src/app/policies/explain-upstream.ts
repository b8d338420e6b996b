import { DrydockError } from "@drydock/protocol";

/** A name that no configuration has can't be allowed in a useful way: it is added first, and that allows it as well. */
export async function explainUpstream(error: unknown, home: string): Promise<unknown> {
  if (!(error instanceof DrydockError) || error.data.key !== "network.upstreams") return error;
  const { asked } = error.data;
  const { readHomeConfig } = await import("../models/index.ts");
  const config = await readHomeConfig(home).catch(() => null);
  // A file that can't be read has an error of its own, for whoever needs it.
  if (!config) return error;
  const configured = Object.keys(config.upstreams ?? {});
  const missing = (Array.isArray(asked) ? (asked as string[]) : []).filter(
    (name) => !name.includes("*") && !configured.includes(name),
  );
  if (missing.length === 0) return error;
  const { code, message, data } = error;
  const known = configured.length > 0 ? `Configured: ${configured.join(", ")}.` : "None is configured.";
  const hint = `There is no upstream ${missing.join(", ")}. ${known} The owner adds one, which allows it as well: drydock upstream add ${missing[0]}`;
  return new DrydockError(code, message, hint, data);
}
