import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./scenario.ts";

const SEARCHED = ["/usr/bin", "/usr/local/bin", "/usr/sbin", "/bin"];

interface Known {
  name: string;
  program: string;
  wrap(path: string, command: readonly string[], places: Places): string[];
}

interface Places {
  directory: string;
  /** Directories outside of /usr that commands need. */
  readable: string[];
}

/** Each with as little as isolates: no network, own processes, a read-only system. None of them limits or records. */
const KNOWN: readonly Known[] = [
  { name: "bubblewrap", program: "bwrap", wrap: wrapBubblewrap },
  {
    name: "firejail",
    program: "firejail",
    wrap: (path, command) => [path, "--quiet", "--noprofile", "--net=none", "--private", "--", ...command],
  },
  {
    name: "nsjail",
    program: "nsjail",
    wrap: (path, command, { readable }) => [
      ...[path, "-Mo", "-Q", "-R", "/usr", "-R", "/lib", "-R", "/lib64", "-R", "/etc/alternatives", "-T", "/tmp"],
      ...readable.flatMap((directory) => ["-R", directory]),
      ...["--", ...command],
    ],
  },
  { name: "crun", program: "crun", wrap: wrapContainer },
  { name: "runc", program: "runc", wrap: wrapContainer },
  {
    name: "podman",
    program: "podman",
    wrap: (path, command) => [path, "run", "--rm", "--network=none", "--rootfs", "/:O", ...command],
  },
  {
    name: "gVisor",
    program: "runsc",
    wrap: (path, command) => [path, "--network=none", "do", ...command],
  },
];

export function findSandboxes(places: Places): { found: Bench["sandboxes"]; missing: string[] } {
  const found: Bench["sandboxes"] = [];
  const missing: string[] = [];
  for (const { name, program, wrap } of KNOWN) {
    const path = SEARCHED.map((directory) => join(directory, program)).find((candidate) => existsSync(candidate));
    if (path) found.push({ name, wrap: (command) => wrap(path, command, places) });
    else missing.push(name);
  }
  return { found, missing };
}

function wrapBubblewrap(path: string, command: readonly string[], { readable }: Places): string[] {
  return [
    ...[path, "--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/usr", "/usr"],
    ...["bin", "lib", "lib64"].flatMap((name) => ["--symlink", `usr/${name}`, `/${name}`]),
    ...["--ro-bind-try", "/etc/alternatives", "/etc/alternatives"],
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--dir", "/tmp/work", "--chdir", "/tmp/work"],
    ...readable.flatMap((directory) => ["--ro-bind", directory, directory]),
    ...["--clearenv", "--setenv", "PATH", "/usr/bin:/bin", "--", ...command],
  ];
}

let containers = 0;

/** A bundle is written per start, as a runner of containers has to: the command is part of it. */
function wrapContainer(path: string, command: readonly string[], { directory }: Places): string[] {
  const id = `drydock-bench-${process.pid}-${++containers}`;
  const bundle = join(directory, "bundles", id);
  mkdirSync(bundle, { recursive: true });
  const namespaces = ["pid", "network", "ipc", "uts", "mount"].map((type) => ({ type }));
  const spec = {
    ociVersion: "1.0.2",
    root: { path: "/", readonly: true },
    process: { cwd: "/", args: command, env: ["PATH=/usr/bin:/bin"], user: { uid: 0, gid: 0 }, noNewPrivileges: true },
    mounts: [
      { destination: "/proc", type: "proc", source: "proc" },
      { destination: "/tmp", type: "tmpfs", source: "tmpfs" },
    ],
    linux: { namespaces },
  };
  writeFileSync(join(bundle, "config.json"), JSON.stringify(spec));
  return [path, "run", "--bundle", bundle, id];
}
