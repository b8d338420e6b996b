import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface MemberMemory {
  crew: "plain" | "data";
  members: number;
  /** Of one member (its pid 1 and its code process), at the median. */
  pssBytes: number;
  privateBytes: number;
  /** The fork server that all members of this crew share pages with, and what stands beside it: broker and lookout. */
  serverPssBytes: number;
}

/** What members of Python put over the words that their fork server was started with. */
const SHOWN_NAME = "drydock\0";

interface Process {
  pid: number;
  parent: number;
  command: string;
  pidNamespace: string;
}

/** Idle Python members are the children of a fork server that live in pid namespaces of their own, each with its code process. */
export function measureMembers(host: number): MemberMemory[] {
  const processes = readProcesses();
  const childrenOf = (pid: number) => processes.filter(({ parent }) => parent === pid);
  return childrenOf(host)
    .filter(({ command }) => command.includes("fork_server.py"))
    .map((server) => {
      const inside = ({ pidNamespace }: Process) => pidNamespace !== server.pidNamespace;
      const members = childrenOf(server.pid)
        .filter(inside)
        .map((init) => [init, ...childrenOf(init.pid)])
        .filter((pair) => pair.length === 2 && pair.every(({ command }) => command.startsWith(SHOWN_NAME)))
        .map((pair) => pair.map(({ pid }) => readMemory(pid)));
      const sum = (key: "pss" | "own") =>
        median(members.map((pair) => pair.reduce((total, one) => total + one[key], 0)));
      return {
        crew: server.command.includes('"pandas"') ? ("data" as const) : ("plain" as const),
        members: members.length,
        pssBytes: sum("pss"),
        privateBytes: sum("own"),
        serverPssBytes: [server, ...childrenOf(server.pid).filter((one) => !inside(one))].reduce(
          (total, { pid }) => total + readMemory(pid).pss,
          0,
        ),
      };
    });
}

function readProcesses(): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
        return [{ pid: Number(name), parent, command, pidNamespace: readlinkSync(`/proc/${name}/ns/pid`) }];
      } catch {
        return []; // It ended meanwhile, or belongs to somebody else.
      }
    });
}

function readMemory(pid: number): { pss: number; own: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1] ?? 0) * 1024;
  return { pss: field("Pss"), own: field("Private_Clean") + field("Private_Dirty") };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
