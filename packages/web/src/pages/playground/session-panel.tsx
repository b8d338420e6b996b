import type { SessionInfo } from "@drydock/protocol";
import type { ReactNode } from "react";
import { useNow } from "../../app/use-now.ts";
import { Section } from "../../parts/section.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import { KeyHelp } from "./key-help.tsx";

/** What the session holds and may still use. */
export function SessionPanel({ session }: { session: SessionInfo | null }) {
  const { t } = useWords();
  return (
    <aside className="flex min-w-0 flex-col gap-6 lg:sticky lg:top-5">
      {session && (
        <Section title={t("play.figures")}>
          <Figures session={session} />
        </Section>
      )}
      {session?.language === "python" && (
        <Section title={t("play.variables")}>
          <Variables variables={session.variables} />
        </Section>
      )}
      <Section title={t("play.keys")}>
        <KeyHelp />
      </Section>
    </aside>
  );
}

function Figures({ session }: { session: SessionInfo }) {
  const { t } = useWords();
  const { bytes, duration, number, ago } = useQuantities();
  const now = useNow(10_000);
  const { memoryBytes, cpuMs, tasksLeft, steps, kept, limits, lastUsedAt, workspace } = session;
  const most = limits.memoryMb * 1024 * 1024;
  return (
    <dl className="tabular flex flex-col gap-3 rounded-xl border border-line bg-panel p-3.5 text-sm">
      <Figure name={t("play.memory")}>
        {t("play.ofLimit", { value: bytes(memoryBytes), limit: bytes(most) })}
        <Bar share={memoryBytes / most} />
      </Figure>
      <Figure name={t("play.cpu")}>{duration(cpuMs)}</Figure>
      <Figure name={t("play.stepsLeft")}>
        {t("play.ofLimit", { value: number(tasksLeft), limit: number(tasksLeft + steps) })}
        <Bar share={steps / Math.max(1, tasksLeft + steps)} />
      </Figure>
      <Figure name={t("play.perStep")}>{duration(limits.wallSeconds * 1000)}</Figure>
      {kept.length > 0 && <Figure name={t("play.kept")}>{kept.join(", ")}</Figure>}
      <Figure name={t("play.idle")}>{ago(lastUsedAt, now)}</Figure>
      {workspace !== null && (
        <Figure name={t("play.workspace")}>
          <code className="font-mono text-xs wrap-anywhere">{workspace}</code>
        </Figure>
      )}
    </dl>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-soft text-xs">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Beside a number that says the same. */
function Bar({ share }: { share: number }) {
  const width = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <svg
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      aria-hidden="true"
      className="mt-1 h-1 w-full rounded-full bg-line"
    >
      <rect width={width} height="4" className={width > 85 ? "fill-bad" : "fill-accent"} />
    </svg>
  );
}

function Variables({ variables }: { variables: SessionInfo["variables"] }) {
  const { t } = useWords();
  const names = Object.keys(variables).sort();
  if (names.length === 0) return <p className="text-sm text-soft">{t("play.noVariables")}</p>;
  return (
    <div className="max-h-80 overflow-auto rounded-xl border border-line bg-panel">
      <table className="w-full text-xs">
        <thead className="sr-only">
          <tr>
            <th scope="col">{t("play.variable")}</th>
            <th scope="col">{t("play.type")}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name} className="border-line not-last:border-b">
              <th scope="row" className="px-3 py-1.5 text-left font-medium font-mono wrap-anywhere">
                {name}
              </th>
              <td className="px-3 py-1.5 text-right font-mono text-soft wrap-anywhere">{variables[name]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
