import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dock } from "../../src/index.ts";
import { type Program, WORKSPACE } from "./program.ts";

/** What a user can tell two runs apart by; where the program happened to lie is taken out. */
export interface Behaviour {
  stdout: string;
  exit: number | string;
  lastError: string;
}

export async function runBare(python: string, program: Program): Promise<Behaviour> {
  const directory = makeDirectory(program);
  try {
    const first = program.asFile ? [`${program.name}.py`] : ["-c", program.code];
    const child = spawn(python, [...first, ...program.args], {
      cwd: directory,
      env: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8", HOME: directory },
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.stdin.on("error", () => {}); // A program may end without having read its input.
    child.stdin.end(program.stdin);
    const [stdout, stderr, exit] = await Promise.all([
      collect(child.stdout),
      collect(child.stderr),
      new Promise<number | string>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (code, signal) => resolve(signal ?? code ?? -1));
      }),
    ]);
    return { stdout: stdout.replaceAll(`${directory}/`, ""), exit, lastError: lastLine(stderr) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export async function runDocked(dock: Dock, program: Program): Promise<Behaviour> {
  const directory = makeDirectory(program);
  try {
    const { ok, stdout, stderr, error } = await dock.exec({
      language: "python",
      code: program.code,
      filename: program.asFile ? `${program.name}.py` : undefined,
      args: program.args,
      stdin: program.stdin,
      workspace: program.asFile || program.inWorkspace ? directory : undefined,
    });
    return { stdout: stdout.replaceAll("/work/", ""), exit: ok ? 0 : exitOf(error), lastError: lastLine(stderr) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function exitOf(error: { code: string; exitCode?: unknown; signal?: unknown } | null): number | string {
  if (error?.code === "code.exit") return Number(error.exitCode);
  if (typeof error?.signal === "string") return error.signal;
  return error?.code.startsWith("code.") ? 1 : (error?.code ?? "nothing was said");
}

function makeDirectory(program: Program): string {
  const directory = mkdtempSync(join(tmpdir(), "drydock-program-"));
  if (program.inWorkspace) cpSync(WORKSPACE, directory, { recursive: true });
  if (program.asFile) writeFileSync(join(directory, `${program.name}.py`), program.code);
  return directory;
}

async function collect(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
