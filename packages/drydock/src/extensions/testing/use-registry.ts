import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { createRegistry } from "../install/create-registry.ts";
import type { Download, Registry } from "../install/types.ts";
import { type DemoOptions, writeDemo } from "./demo-extension.ts";

export interface Surroundings {
  builtIns?: string | null;
  /** What a download gives, by its address: fetching itself is the sandbox's, and tested with it. */
  files?: Record<string, Uint8Array>;
  npm?: string | null;
}

export interface Registries {
  place(): string;
  home(): string;
  /** A registry of the test's home, as another process would open it. */
  open(surroundings?: Surroundings): Registry & { fetched: string[] };
  /** Writes an extension to install; gives its directory. */
  demo(name: string, options?: DemoOptions): Promise<string>;
}

export const agree = { approve: async () => true };

/** A home of its own for each test of a file. */
export function useRegistry(): Registries {
  let place = "";
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), "drydock-registry-"));
  });
  afterEach(() => rm(place, { recursive: true, force: true }));
  const home = () => join(place, "home");
  return {
    place: () => place,
    home,
    demo: (name, options) => writeDemo(join(place, name), options),
    open({ builtIns = null, files = {}, npm = null } = {}) {
      const fetched: string[] = [];
      const download = async ({ url }: Download) => {
        fetched.push(url);
        const bytes = files[url];
        if (!bytes) throw new Error(`nothing at ${url}`);
        return bytes;
      };
      const registry = createRegistry({
        home: home(),
        builtInDirectory: builtIns,
        download,
        npmRegistry: async () => npm,
      });
      return Object.assign(registry, { fetched });
    },
  };
}

export async function idsOf(registry: Registry): Promise<string[]> {
  const all = await registry.list();
  return all.map(({ manifest, state }) => `${manifest.id} ${manifest.version} ${state}`);
}

export function namesIn(path: string): string[] {
  return existsSync(path) ? readdirSync(path) : [];
}
