import { resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import {
  BUILT_IN_EXTENSIONS,
  createRegistry,
  type Registry,
  readExtension,
  scaffoldExtension,
} from "../../extensions/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import type { Extensions } from "./api.ts";
import { downloadFile } from "./download-file.ts";
import { findNpmRegistry } from "./npm-registry.ts";

export interface RegistryPorts extends ExecPorts {
  home: string;
}

export type OpenRegistry = Registry & Pick<Extensions, "get" | "lint" | "scaffold">;

/** The registry of a home; whatever it fetches, it fetches in the sandbox. */
export function openRegistry(ports: RegistryPorts): OpenRegistry {
  const registry = createRegistry({
    home: ports.home,
    builtInDirectory: BUILT_IN_EXTENSIONS,
    download: (download) => downloadFile(ports, download),
    npmRegistry: (name) => findNpmRegistry(ports.environment, name),
  });
  return {
    ...registry,
    get: async (id) => ({ ...(await registry.inspect(id)), usage: await registry.readUsage(id) }),
    lint: async (directory) => {
      const path = resolve(directory);
      const { problems } = await readExtension(path);
      const [first] = problems;
      // A path that is no directory is an error of the caller, not of the extension's author.
      if (first?.file === path)
        throw new DrydockError(
          "input.invalid",
          `${directory} is not a directory.`,
          "Give the directory of an extension.",
        );
      return problems;
    },
    scaffold: (name, { directory } = {}) => scaffoldExtension(name, directory),
  };
}
