import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import {
  type DoctorFinding,
  type DoctorReport,
  DrydockError,
  describeFileError,
  type EffectivePolicy,
  type ExecResult,
} from "@drydock/protocol";
import { describeReport, findPython, inspectBackends, measureBare } from "../../sandbox/index.ts";
import type { DockOptions } from "../dock.ts";
import type { ExecOptions } from "../execute/api.ts";
import { checkSettings, type SettingsPorts } from "./check-settings.ts";

interface Patient extends SettingsPorts {
  options: DockOptions;
  exec(request: ExecOptions): Promise<ExecResult>;
  probe(policy: EffectivePolicy): Promise<{ level: DoctorReport["level"]; findings: DoctorFinding[] }>;
}

const MEASUREMENTS = 7;
const PROBE_BYTES = 64 * 1024;
const LIBRARIES = ["numpy", "pandas", "matplotlib", "pytest"];

/** What is tried inside: in Python, or in Node where the policy lets no Python run. */
interface Probes {
  language: "python" | "node";
  print: string;
  write: string;
}

const PYTHON_PROBES: Probes = { language: "python", print: "print(1)", write: "open('a.txt', 'a').write('b')" };
const NODE_PROBES: Probes = {
  language: "node",
  print: "console.log(1)",
  write: "require('node:fs').appendFileSync('a.txt', 'b')",
};
const PYTHON_OFF: DoctorFinding = {
  name: "python code",
  state: "limited",
  detail: "the policy lets none run (python.enabled: false)",
  remedy: "drydock policy unset python.enabled",
};

/** Tries each part for real and says what was found. */
export async function runDoctor(patient: Patient): Promise<DoctorReport> {
  const settings = await checkSettings(patient);
  const findings: DoctorFinding[] = [checkKernel(), checkHome(patient.home), ...settings];
  const python = checkPython(patient, findings);
  const policy = await patient.policies.resolve({}).then(
    ({ effective }) => effective,
    () => undefined,
  );
  const probes = policy?.python.enabled === false ? NODE_PROBES : PYTHON_PROBES;
  const inspected = inspectBackends(policy, patient.config.searchPath);
  findings.push(...inspected);
  let level: DoctorReport["level"] = "none";
  // Without a policy nothing runs: what could not be tried is not called broken.
  if (policy === undefined) {
    return { ok: false, level, findings, timings: [] };
  }
  try {
    const reach = await patient.probe(policy);
    level = reach.level;
    findings.push(...reach.findings);
  } catch (error) {
    const { message } = error as Error;
    const missing = error instanceof DrydockError && error.data.missing !== undefined;
    const instead = missing ? await findHolder(patient, probes) : undefined;
    if (instead) {
      level = instead.level;
      for (const finding of inspected) finding.state = "limited";
    }
    findings.push({
      name: "sandbox",
      state: instead ? "limited" : "missing",
      detail: instead ? `${instead.held} ${message}` : message,
      remedy: missing ? error.hint : remedyFor(message),
    });
  }
  if (level === "none" || !python) return { ok: false, level, findings, timings: [] };
  findings.push(await checkRun(patient, probes), await checkLayer(patient, probes));
  findings.push(...(probes.language === "python" ? await checkLibraries(patient) : [PYTHON_OFF]));
  const ok = findings.every((finding) => finding.state !== "missing");
  return { ok, level, findings, timings: ok ? await measure(patient, python, probes) : [] };
}

function checkKernel(): DoctorFinding {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  const ok = process.platform === "linux" && (major > 5 || (major === 5 && minor >= 12));
  const detail = `${process.platform} ${release()}`;
  return ok
    ? { name: "kernel", state: "ok", detail }
    : { name: "kernel", state: "missing", detail, remedy: "Drydock needs Linux 5.12 or later." };
}

function checkHome(home: string): DoctorFinding {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    accessSync(home, constants.W_OK);
    const probe = mkdtempSync(join(home, "doctor-"));
    try {
      // As much as the ledger's log needs to be opened.
      writeFileSync(join(probe, "probe"), Buffer.alloc(PROBE_BYTES));
    } finally {
      rmSync(probe, { recursive: true, force: true });
    }
    return { name: "home", state: "ok", detail: home };
  } catch (error) {
    const isFull = ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");
    return {
      name: "home",
      state: "missing",
      detail: `${home}: ${describeFileError(error)}`,
      remedy: isFull
        ? "Free some space on its disk; then `drydock prune` removes old runs. Or set DRYDOCK_HOME to another disk."
        : "Set DRYDOCK_HOME to a directory that you can write to.",
    };
  }
}

function checkPython({ config, options }: Patient, findings: DoctorFinding[]): string | undefined {
  try {
    const { path } = findPython(options.python ?? config.python, config.searchPath);
    findings.push({ name: "python", state: "ok", detail: path });
    return path;
  } catch (error) {
    findings.push({
      name: "python",
      state: "missing",
      detail: (error as Error).message,
      remedy: "apt-get install python3 (the sandbox needs it for every language)",
    });
    return undefined;
  }
}

function remedyFor(reason: string): string {
  if (/libseccomp/.test(reason)) return "apt-get install libseccomp2";
  if (/mount \/proc|mount proc/.test(reason))
    return "This container masks /proc: start it with --security-opt systempaths=unconfined, or run Drydock on the host.";
  if (/unshare|clone|Operation not permitted/.test(reason))
    return "User namespaces are not available here: in a container, allow them (for instance --security-opt seccomp=unconfined); else see the line above.";
  return "Run it again as root to see whether permissions are the reason.";
}

/** Where the owner's policy accepts it, another backend takes the runs. */
async function findHolder(
  { exec }: Patient,
  { language }: Probes,
): Promise<{ level: DoctorReport["level"]; held: string } | undefined> {
  const { ok, sandbox } = await exec({ language, code: "1" });
  const backend = ok ? describeReport(sandbox) : undefined;
  return backend && { level: sandbox.level, held: backend.doctor.held };
}

async function checkRun({ exec }: Patient, { language, print }: Probes): Promise<DoctorFinding> {
  const { ok, error } = await exec({ language, code: print });
  return ok
    ? { name: "a run", state: "ok", detail: "executed, contained and recorded" }
    : { name: "a run", state: "missing", detail: `${error?.code}: ${error?.message}`, remedy: error?.hint };
}

async function checkLayer({ exec, config }: Patient, { language, write }: Probes): Promise<DoctorFinding> {
  const directory = mkdtempSync(join(config.temporary, "drydock-doctor-"));
  try {
    writeFileSync(join(directory, "a.txt"), "a");
    const { ok, changes, error } = await exec({ language, code: write, workspace: directory });
    const untouched = readFileSync(join(directory, "a.txt"), "utf8") === "a";
    if (ok && untouched && changes.length === 1)
      return { name: "layers", state: "ok", detail: "changes stay separate from the workspace" };
    return {
      name: "layers",
      state: "missing",
      detail: error?.message ?? "the change did not stay in its layer",
      remedy: "Layers need overlayfs in user namespaces (Linux 5.11, on tmpfs 6.6).",
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function checkLibraries({ exec }: Patient): Promise<DoctorFinding[]> {
  const code = `import importlib.util\nresult = {n: importlib.util.find_spec(n) is not None for n in ${JSON.stringify(LIBRARIES)}}`;
  const found = ((await exec({ language: "python", code })).result ?? {}) as Record<string, boolean>;
  return LIBRARIES.map((name) =>
    found[name]
      ? { name, state: "ok", detail: "can be imported in the sandbox" }
      : { name, state: "limited", detail: "not installed for this Python", remedy: `apt-get install python3-${name}` },
  );
}

async function measure({ exec }: Patient, python: string, probes: Probes): Promise<DoctorReport["timings"]> {
  const all = [
    { name: "python print(1)", bare: [python, "-c", "print(1)"], request: { language: "python", code: "print(1)" } },
    {
      name: "node console.log(1)",
      bare: [process.execPath, "-e", "console.log(1)"],
      request: { language: "node", code: "console.log(1)" },
    },
    { name: "bash echo 1", bare: ["/bin/bash", "-c", "echo 1"], request: { language: "bash", code: "echo 1" } },
  ] as const;
  const rows = all.filter(({ request }) => probes.language === "python" || request.language !== "python");
  const timings: DoctorReport["timings"] = [];
  for (const row of rows) {
    const bare: number[] = [];
    const dock: number[] = [];
    for (let i = 0; i < MEASUREMENTS; i++) {
      bare.push(await measureBare(row.bare));
      const start = performance.now();
      await exec(row.request);
      dock.push(performance.now() - start);
    }
    timings.push({ name: row.name, bareMs: median(bare), dockMs: median(dock) });
  }
  return timings;
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
