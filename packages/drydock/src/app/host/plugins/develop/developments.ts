import { readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { PluginManifest } from "@drydock/protocol/runner";
import * as z from "zod";
import { putFile } from "../../../../base/files/index.ts";
import { readProcessStart } from "../../../../base/processes/index.ts";
import type { InstalledPlugin } from "../../api.ts";

/** A plugin that some process on this home develops. The file has the token by which hosts connect: only its owner reads it. */
const Development = z.object({
  manifest: PluginManifest,
  directory: z.string(),
  fingerprint: z.string(),
  isExclusive: z.boolean(),
  url: z.string(),
  token: z.string(),
  pid: z.number(),
  startTime: z.string(),
});
export type Development = z.infer<typeof Development>;

/** What `drydock plugin dev` writes, and all hosts of the home read. */
export interface Developments {
  /** Null where nobody develops it. */
  find(id: string): Development | null;
  list(): Development[];
  write(development: Development): Promise<void>;
  remove(id: string): Promise<void>;
}

const NAME = /^([^@/]+)@([^@/]+)\.json$/;

export function createDevelopments(root: string): Developments {
  const directory = join(root, ".dev");
  const fileOf = (id: string) => join(directory, `${id.replace("/", "@")}.json`);
  const find = (id: string): Development | null => {
    const file = fileOf(id);
    if (!statSync(file, { throwIfNoEntry: false })) return null;
    try {
      const { data } = Development.safeParse(JSON.parse(readFileSync(file, "utf8")));
      // A file that a killed process has left means nothing.
      return data && readProcessStart(data.pid) === data.startTime ? data : null;
    } catch {
      return null;
    }
  };
  return {
    find,
    list() {
      const names = statSync(directory, { throwIfNoEntry: false }) ? readdirSync(directory) : [];
      return names.flatMap((name) => {
        const [, author, plugin] = NAME.exec(name) ?? [];
        return (author && plugin && find(`${author}/${plugin}`)) || [];
      });
    },
    async write(development) {
      const { author, name } = development.manifest;
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await putFile(fileOf(`${author}/${name}`), JSON.stringify(development));
    },
    remove: (id) => rm(fileOf(id), { force: true }),
  };
}

export function toPlugin({ manifest, directory, fingerprint, isExclusive }: Development): InstalledPlugin {
  const id = `${manifest.author}/${manifest.name}`;
  return { ...manifest, id, directory, fingerprint, isExclusive, origin: "development", problem: null };
}
