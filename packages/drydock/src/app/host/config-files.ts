import { basename, extname } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { RUNNER_LIMITS } from "@drydock/protocol/runner";
import type { HostStore } from "../../ledger/index.ts";
import type { AgentHost, ConfigFile } from "./api.ts";

const TYPES: Readonly<Record<string, string>> = {
  ...{ ".txt": "text/plain", ".md": "text/markdown", ".html": "text/html", ".csv": "text/csv" },
  ...{ ".json": "application/json", ".yaml": "application/yaml", ".yml": "application/yaml" },
  ...{ ".pdf": "application/pdf", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg" },
};

/** Keeps a file for the settings of agents. A runner gets its bytes and its name, never its path. */
export async function addConfigFile(
  { files }: Pick<HostStore, "files">,
  { name, content, mime }: Parameters<AgentHost["files"]["add"]>[0],
): Promise<ConfigFile> {
  const most = RUNNER_LIMITS.storageValueBytes;
  if (content.length > most) {
    const message = `The file ${name} has more than ${most / 1024 / 1024} MB.`;
    throw new DrydockError("input.invalid", message, "Put it into a knowledge base, or make it smaller.");
  }
  const facts = { name: basename(name), mime: mime ?? TYPES[extname(name).toLowerCase()] ?? null };
  const key = await files.add({ ...facts, content: Buffer.from(content) });
  return { file_key: key, file_name: facts.name, mime_type: facts.mime };
}
