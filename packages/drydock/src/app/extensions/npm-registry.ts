import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Record<string, string | undefined>;

/**
 * The npm registry for a package: `DRYDOCK_NPM_REGISTRY`, else what npm itself is configured with by its variable or
 * the user's `.npmrc`, where a scope can have its own. Null if none is configured: there is no built-in one.
 */
export async function findNpmRegistry(environment: Environment, packageName: string): Promise<string | null> {
  const own = readAddress(environment.DRYDOCK_NPM_REGISTRY);
  if (own) return own;
  const file = environment.NPM_CONFIG_USERCONFIG || join(environment.HOME || homedir(), ".npmrc");
  const settings = parseSettings(await readFile(file, "utf8").catch(() => ""));
  const scope = packageName.startsWith("@") ? packageName.split("/")[0] : undefined;
  return (
    readAddress(scope && settings.get(`${scope}:registry`)) ??
    readAddress(environment.npm_config_registry ?? environment.NPM_CONFIG_REGISTRY) ??
    readAddress(settings.get("registry"))
  );
}

function parseSettings(text: string): Map<string, string> {
  const settings = new Map<string, string>();
  for (const line of text.split("\n")) {
    const match = /^\s*((?:@[\w.~-]+:)?registry)\s*=\s*"?([^"\s]+)"?\s*$/.exec(line);
    if (match?.[1] && match[2]) settings.set(match[1], match[2]);
  }
  return settings;
}

/** Whatever is no plain http(s) address is as good as none; a password has no place in one. */
function readAddress(text: string | undefined): string | null {
  const url = text ? URL.parse(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  return url.href;
}
