import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { runCli } from "./run-cli.ts";

/** Where the guide's reader is at home. */
const PLACE = "/home/maria";

export interface Typed {
  command: string;
  shown: string[];
}

interface Written {
  file: string;
  text: string;
}

/**
 * What is done in a guide, in order: what is typed in its console blocks, with what is shown after it, and files whose name stands
 * in the line before their content.
 */
export function readGuide(text: string): (Typed | Written)[] {
  const steps: (Typed | Written)[] = [];
  for (const [, before = "", language, block = ""] of text.matchAll(/([^\n]*)\n\n```(\w+)\n([\s\S]*?)^```$/gm)) {
    const file = /`([\w./-]+\.(?:ts|py|yaml))`[^`]*:$/.exec(before)?.[1];
    if (language !== "console" && file) steps.push({ file, text: block });
    if (language !== "console") continue;
    for (const line of block.replace(/\n$/, "").split("\n")) {
      const last = steps.at(-1);
      if (line.startsWith("$ ")) steps.push({ command: line.slice(2), shown: [] });
      else if (last && "shown" in last) last.shown.push(line);
    }
  }
  return steps;
}

/** Does all of it in a directory, and compares what is shown. `home` is what `~` stands for. */
export async function followGuide(steps: readonly (Typed | Written)[], place: string): Promise<void> {
  for (const step of steps) {
    if ("file" in step) writeFileSync(join(place, step.file), step.text);
    else {
      const told = (await type(step, place)).replaceAll(place, PLACE);
      expect(told, step.command).toMatch(toPattern(step.shown));
    }
  }
}

async function type({ command, shown }: Typed, place: string): Promise<string> {
  if (!command.startsWith("drydock ")) {
    const env = { PATH: process.env.PATH, HOME: join(place, "home"), PYTHONDONTWRITEBYTECODE: "1" };
    return execFileSync("bash", ["-c", command], { encoding: "utf8", cwd: place, env });
  }
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "").slice(1);
  // Whoever follows the guide answers with y.
  const agrees = shown.some((line) => line.includes("[y/N] y"));
  const { stdout, stderr } = await runCli(...words, ...(agrees ? ["--yes"] : []));
  return stdout + stderr;
}

/**
 * `…` on a line of its own stands for any lines, at the end of one for any rest. Columns are as wide as what stands in them: times
 * differ from machine to machine.
 */
function toPattern(shown: readonly string[]): RegExp {
  const lines = shown.filter((line) => !line.includes("[y/N]"));
  const parts = lines.map((line) => {
    if (line === "…") return "(?:.*\\n)*?";
    const literal = line.replace(/…$/, "").replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    return `${literal.replaceAll(/ {2,}/g, " {2,}")}${line.endsWith("…") ? ".*" : ""}\\n`;
  });
  return new RegExp(`^${parts.join("")}$`);
}
