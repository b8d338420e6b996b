import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../../../", import.meta.url));
const PLACE = join(ROOT, "node_modules", ".cache", "drydock", "agents");
const PACKAGES = ["opencode-ai@1", "@openai/codex@0", "@google/gemini-cli@0"];
const NAMES = ["opencode", "codex", "gemini"];

/** The path of a coding agent that is published on npm. */
export const agentPath = (name: string): string => join(PLACE, "node_modules", ".bin", name);

/** Installs them, once: the programs are large. */
export function installAgents(): void {
  if (NAMES.every((name) => existsSync(agentPath(name)))) return;
  mkdirSync(PLACE, { recursive: true });
  writeFileSync(join(PLACE, "package.json"), '{"private":true}');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...PACKAGES], { cwd: PLACE, stdio: "ignore" });
}

/** Settings of opencode: models from a server of this machine. */
export function opencodeSettings(port: number, permission: "allow" | "ask"): string {
  const options = { baseURL: `http://localhost:${port}/v1`, apiKey: "none" };
  const local = { npm: "@ai-sdk/openai-compatible", name: "local", options, models: { scripted: { name: "s" } } };
  const permissions = { bash: permission, edit: permission };
  const settings = { provider: { local }, model: "local/scripted", permission: permissions, autoupdate: false };
  return `OPENCODE_CONFIG_CONTENT=${JSON.stringify(settings)}`;
}

/** Variables of Gemini CLI for the same. */
export function geminiVariables(port: number): string[] {
  return [
    ...["GEMINI_API_KEY=none", `GOOGLE_GEMINI_BASE_URL=http://localhost:${port}`],
    ...["GEMINI_CLI_TRUST_WORKSPACE=true", "NO_BROWSER=true"],
  ];
}
