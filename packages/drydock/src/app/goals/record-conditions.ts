import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { EffectivePolicy } from "@drydock/protocol";
import manifest from "../../../package.json" with { type: "json" };
import { pickEnvironment } from "../../policy/index.ts";
import { expandHome } from "../../sandbox/index.ts";
import type { GoalPorts } from "./goal-ports.ts";

/** Directories and files of the system that change whenever a program or a package that runs can see is installed. */
const SYSTEM_PLACES = [
  ..."/usr/local/bin /usr/bin /bin /usr/sbin /usr/lib /usr/local/lib".split(" "),
  ..."/usr/lib/node_modules /usr/local/lib/node_modules /usr/share/nodejs".split(" "),
  "/var/lib/dpkg/status",
];
const PYTHON_PREFIXES = ["/usr", "/usr/local"];

/** All that decides over what a check shows beside the tree and the check itself. */
export async function readConditions(
  ports: Pick<GoalPorts, "environment" | "sandbox" | "findPython">,
  policy: EffectivePolicy,
): Promise<unknown> {
  const python = ports.findPython();
  const level = await ports
    .sandbox()
    .probe(policy)
    .then(
      (probed) => probed.level,
      // Without namespaces, the policy names what runs take their place.
      () => null,
    );
  return [
    ...[manifest.version, process.version, process.arch, level, policy],
    pickEnvironment(policy.environment.allow, ports.environment),
    await describePlaces([...SYSTEM_PLACES, python, ...(await listPackagePlaces(python)), ...listToolchains(policy)]),
  ];
}

/** Directories of the owner's whose programs runs find. */
function listToolchains({ sandbox }: EffectivePolicy): string[] {
  return sandbox.toolchains.flatMap((entry) => {
    const directory = expandHome(entry, homedir());
    return [directory, join(directory, "bin")];
  });
}

/** Where Python finds packages. */
async function listPackagePlaces(python: string): Promise<string[]> {
  const places: string[] = [];
  for (const prefix of new Set([...PYTHON_PREFIXES, dirname(dirname(python))])) {
    const names = await readdir(join(prefix, "lib")).catch(() => []);
    for (const name of names.filter((each) => each.startsWith("python3")).sort()) {
      places.push(join(prefix, "lib", name, "site-packages"), join(prefix, "lib", name, "dist-packages"));
    }
  }
  return places;
}

/** Which file or directory each of them is, and when it was last changed. */
export function describePlaces(places: readonly string[]): Promise<unknown[]> {
  return Promise.all(
    places.map(async (place) => {
      const about = await stat(place).catch(() => null);
      return about && [place, about.ino, about.size, about.mtimeMs];
    }),
  );
}
