import { countWord, describeShortfall, describeStrength, type StrengthEvidence } from "@drydock/protocol";
import { cleanLine, cleanText } from "../../terminal/clean-text.ts";
import type { Colors } from "../../terminal/terminal.ts";

const MAX_SHOWN = 20;

/** The faults that nothing noticed, each as a diff, and the share of those that were noticed. */
export function renderStrength(strength: StrengthEvidence, least: number | undefined, colors: Colors): string {
  const { killed, total, score, found, seed, survivors } = strength;
  const isWeak = least !== undefined && describeShortfall(strength, least) !== null;
  if (score === null) return `${isWeak ? colors.red(describeStrength(strength)) : describeStrength(strength)}\n`;
  const shown = survivors.slice(0, MAX_SHOWN).map((survivor) => renderSurvivor(survivor, colors));
  const more = survivors.length - shown.length;
  const rest = more > 0 ? `${colors.dim(`… and ${more} more; --json has them all`)}\n` : "";
  const percent = `${(score * 100).toFixed(0)} %`;
  const share = isWeak ? colors.red(percent) : colors.green(percent);
  const sample = total < found ? `, a sample of ${found} (seed ${seed})` : "";
  const mark = isWeak ? colors.red(`, below ${((least ?? 0) * 100).toFixed(0)} %`) : "";
  return `${shown.join("")}${rest}strength: ${share}${mark}: ${killed} of ${countWord(total, "mutant")} killed${sample}\n`;
}

function renderSurvivor({ path, line, operator, diff }: StrengthEvidence["survivors"][number], colors: Colors): string {
  const head = `${colors.yellow("survived")} ${colors.bold(`${cleanLine(path)}:${line}`)} ${colors.dim(operator)}\n`;
  const lines = cleanText(diff).trimEnd().split("\n").slice(3);
  const paint = (text: string) =>
    text.startsWith("-") ? colors.red(text) : text.startsWith("+") ? colors.green(text) : colors.dim(text);
  return head + lines.map((text) => `    ${paint(text)}\n`).join("");
}
