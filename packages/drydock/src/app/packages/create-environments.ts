import { createHash } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { DrydockError, type PolicyDocument } from "@drydock/protocol";
import { matchHost } from "../../policy/index.ts";
import type { Mount } from "../../sandbox/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import { type Build, buildEnvironment } from "./build-environment.ts";
import { type EnvironmentLock, isAsLocked, LOCK_FILE, readLock, SITE } from "./environment-lock.ts";
import { noteUse } from "./prune-environments.ts";
import { normaliseName, readRequirements } from "./read-requirements.ts";

/** Where runs see it. */
const PLACE = "/opt/environment";
const MAX_ROUNDS = 4;
const STALE_MS = 24 * 60 * 60 * 1000;

export interface EnvironmentPorts extends ExecPorts {
  home: string;
  /** `DRYDOCK_PYTHON_INDEX`; null: the one that pip takes by itself. */
  pythonIndex: string | null;
  /** The interpreter that runs have. */
  pythonPath: () => string;
}

export interface EnvironmentRequest {
  requirements: string | readonly string[];
  /** Whether what is missing may be installed. */
  install?: boolean;
  policy?: PolicyDocument;
  workspace?: string | null;
  signal?: AbortSignal;
  parentRunId?: string;
}

/** What a run needs to find the packages. */
export interface PackageEnvironment {
  mounts: Mount[];
  environment: { PYTHONPATH: string };
  packages: EnvironmentLock["packages"];
}

export interface Environments {
  /** Rejects with `input.invalid` for what is no list of requirements, and otherwise with why there is no environment. */
  open(request: EnvironmentRequest): Promise<PackageEnvironment>;
}

type BuildTarget = Pick<Build, "key" | "directory" | "requirements">;

export function createEnvironments(ports: EnvironmentPorts): Environments {
  const root = join(ports.home, "environments");
  /** Every file of an environment is looked at when it is used for the first time, and again where it has changed. */
  const seen = new Map<string, { stamp: string; lock: EnvironmentLock }>();
  const building = new Map<string, Promise<void>>();

  async function findKept({ directory, key }: BuildTarget): Promise<EnvironmentLock | null> {
    const stamp = await stampOf(directory);
    const known = seen.get(directory);
    if (stamp !== null && known?.stamp === stamp) return known.lock;
    const lock = await readLock(directory);
    if (stamp === null || lock?.key !== key || !(await isAsLocked(directory, lock))) return null;
    seen.set(directory, { stamp, lock });
    return lock;
  }

  async function build(request: EnvironmentRequest, place: BuildTarget): Promise<void> {
    const policy = await consent(ports, request);
    const broken = await readLock(place.directory);
    await mkdir(root, { recursive: true, mode: 0o700 });
    await collectLeftovers(root);
    const { signal, parentRunId } = request;
    const exactly = broken?.key === place.key ? broken.packages : null;
    await buildEnvironment(ports, { ...place, exactly, index: ports.pythonIndex, policy, signal, parentRunId });
  }

  /** Once for all who ask for it at the same time; where the one who began was cancelled, another begins. */
  async function install(request: EnvironmentRequest, place: BuildTarget): Promise<void> {
    const { directory } = place;
    const begun = building.get(directory);
    if (begun) {
      await begun.catch(() => {});
      return;
    }
    const work = build(request, place).finally(() => building.delete(directory));
    building.set(directory, work);
    await work;
  }

  return {
    async open(request) {
      const requirements = await readRequirements(request.requirements);
      const key = keyOf(requirements, ports);
      const place = { key, requirements, directory: join(root, key) };
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const lock = await findKept(place);
        if (lock) {
          await noteUse(place.directory);
          return describe(place.directory, lock);
        }
        if (request.install !== true) throw notInstalled(requirements);
        await install(request, place);
      }
      throw new DrydockError(
        "internal",
        `The installed packages could not be saved to ${place.directory}.`,
        "Try again.",
      );
    },
  };
}

function describe(directory: string, { packages }: EnvironmentLock): PackageEnvironment {
  return {
    mounts: [{ source: join(directory, SITE), target: PLACE }],
    environment: { PYTHONPATH: PLACE },
    packages,
  };
}

/** The interpreter's own name has its version. */
function keyOf(requirements: readonly string[], { pythonPath, pythonIndex }: EnvironmentPorts): string {
  const parts = [basename(pythonPath()), process.platform, process.arch, pythonIndex, ...requirements];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

/** Null where there is none. */
async function stampOf(directory: string): Promise<string | null> {
  try {
    const found = await Promise.all(
      [directory, join(directory, SITE), join(directory, LOCK_FILE)].map((path) => stat(path)),
    );
    return found.map(({ ino, mtimeMs, ctimeMs }) => `${ino}:${mtimeMs}:${ctimeMs}`).join(" ");
  } catch {
    return null;
  }
}

/** What the policy lets an installation reach: what the caller asks for, else all that the owner allows. */
async function consent(ports: EnvironmentPorts, request: EnvironmentRequest): Promise<PolicyDocument> {
  const { workspace = null, policy } = request;
  const { ceiling } = await ports.policies.resolve({ workspace, request: policy });
  const requestedHosts = policy?.network?.allow;
  const allow = Array.isArray(requestedHosts)
    ? requestedHosts
    : (requestedHosts?.max ?? requestedHosts?.default ?? ceiling.network.allow);
  const { pythonIndex } = ports;
  const index = pythonIndex === null ? null : new URL(pythonIndex);
  const port = Number(index?.port || (index?.protocol === "http:" ? 80 : 443));
  const isAllowed = index === null ? allow.length > 0 : matchHost(allow, index.hostname, port);
  if (isAllowed) return { network: { allow: [...allow], upstreams: [] } };
  const host = index === null ? "HOST:443" : `${index.hostname}:${port}`;
  if (index !== null && matchHost(ceiling.network.allow, index.hostname, port)) {
    const hint = `Name ${host} in its network list too (--net), or leave the list out.`;
    const message = `Packages can't be installed: the request's own network list does not name ${host}.`;
    throw new DrydockError("policy.network_denied", message, hint, { host });
  }
  throw new DrydockError(
    "policy.network_denied",
    `Packages can't be installed: the policy does not allow ${index === null ? "any host" : host}.`,
    `The owner can allow the hosts of the package index: \`drydock policy allow network ${host}\`. To use another index, set DRYDOCK_PYTHON_INDEX.`,
    index === null ? {} : { host },
  );
}

/** What builds left that were killed. */
async function collectLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!/\.(?:building|broken)-/.test(name)) continue;
    const path = join(directory, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > STALE_MS) await rm(path, { recursive: true, force: true });
  }
}

function notInstalled(requirements: readonly string[]): DrydockError {
  const names = requirements.slice(0, 10).join(", ");
  return new DrydockError(
    "code.import_missing",
    `These packages are not installed: ${names}${requirements.length > 10 ? ", …" : ""}.`,
    "Install them with `install: true`, or --install on the command line. The policy must allow the package index.",
    { requirements: [...requirements] },
  );
}

/** One line for people and models. */
export function describePackages(packages: EnvironmentLock["packages"]): string {
  return packages.map(({ name, version }) => `${normaliseName(name)} ${version}`).join(", ");
}
