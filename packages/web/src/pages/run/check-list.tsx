import type { CheckResult } from "@drydock/protocol";
import { cx } from "../../parts/class-names.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { TerminalText } from "../../parts/terminal-text.tsx";
import { TONE_TEXT, type Tone } from "../../parts/tone.ts";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";

/** Checks with what they rest on: why, what was seen, and whether they notice faults. */
export function CheckList({ checks }: { checks: readonly CheckResult[] }) {
  return (
    <ul className="overflow-hidden rounded-lg border border-line">
      {checks.map((check, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: results are appended, and one check can be judged twice.
        <li key={index} className="border-line not-last:border-b">
          <CheckRow check={check} />
        </li>
      ))}
    </ul>
  );
}

function lookOf({ verdict, doubt, alsoPassesBefore }: CheckResult): { tone: Tone; icon: IconName } {
  if (verdict === "passed") {
    return doubt !== undefined || alsoPassesBefore ? { tone: "warn", icon: "check" } : { tone: "good", icon: "check" };
  }
  return { tone: "bad", icon: "cross" };
}

function CheckRow({ check }: { check: CheckResult }) {
  const { t } = useWords();
  const { duration } = useQuantities();
  const { tone, icon } = lookOf(check);
  const { stdout, stderr, ...evidence } = check.evidence;
  return (
    <details className="group bg-panel">
      <summary className="flex list-none items-center gap-2.5 px-3 py-2 text-sm hover:bg-sunken">
        <Icon name={icon} className={cx("size-4", TONE_TEXT[tone])} />
        <span className="sr-only">{check.verdict}</span>
        <span className="min-w-0 flex-1">
          <span className="block truncate font-mono text-xs font-medium">{nameOf(check)}</span>
          <span className="block text-soft text-xs">{check.reason}</span>
        </span>
        {check.implied && <span className="text-faint text-xs">{t("check.implied")}</span>}
        <span className="tabular text-soft text-xs">{duration(check.durationMs)}</span>
        <Icon name="chevron" className="size-3 text-soft transition-transform group-open:rotate-90" />
      </summary>
      <div className="flex flex-col gap-3 border-line border-t px-3 py-3 text-sm">
        <Facts check={check} />
        {typeof stdout === "string" && stdout !== "" && (
          <TerminalText text={stdout} label="stdout" className="max-h-80" />
        )}
        {typeof stderr === "string" && stderr !== "" && (
          <TerminalText text={stderr} label="stderr" className="max-h-80" />
        )}
        {Object.keys(evidence).length > 0 && (
          <div className="font-mono text-xs">
            <JsonView value={evidence} name={t("check.evidence")} depth={1} />
          </div>
        )}
      </div>
    </details>
  );
}

function Facts({ check }: { check: CheckResult }) {
  const { t } = useWords();
  const { tests, control, strength, doubt, proves } = check;
  const rows: [label: string, text: string][] = [
    ...(proves ? [[t("check.proof"), t("check.proves")] as [string, string]] : []),
    ...(doubt ? [[t("check.doubt"), doubt] as [string, string]] : []),
    ...(tests ? [[t("check.tests"), t("check.testCounts", { ...tests.counts })] as [string, string]] : []),
    ...(control ? [[t("check.control"), control.reason] as [string, string]] : []),
    ...(strength
      ? [
          [
            t("check.strength"),
            strength.score === null
              ? t(`check.${strength.unmeasured ?? "no_mutants"}`)
              : t("check.killed", { killed: strength.killed, total: strength.total }),
          ] as [string, string],
        ]
      : []),
    [t("run.tree"), check.treeHash],
  ];
  return (
    <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[9rem_1fr]">
      {rows.map(([label, text]) => (
        <div key={label} className="contents">
          <dt className="text-soft text-xs leading-5">{label}</dt>
          <dd className={cx("wrap-anywhere text-xs leading-5", text === check.treeHash && "font-mono")}>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function nameOf({ name, type, check }: CheckResult): string {
  if (name) return name;
  const subject = check.cmd ?? check.path ?? check.url;
  return subject === undefined ? type : `${type} ${String(subject)}`;
}
