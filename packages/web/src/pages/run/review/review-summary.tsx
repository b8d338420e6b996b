import type { CheckResult, Run } from "@drydock/protocol";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { readEvents } from "../../../data/queries.ts";
import { VerdictPill } from "../../../parts/badges.tsx";
import { cx } from "../../../parts/class-names.ts";
import { Icon } from "../../../parts/icon.tsx";
import { parseDiff } from "../../../parts/parse-diff.ts";
import { useQuantities } from "../../../words/quantities.ts";
import { useWords } from "../../../words/words.ts";
import { CheckList } from "../check-list.tsx";
import type { RunFacts } from "../fold-facts.ts";
import { listHosts } from "./list-hosts.ts";

const networkQuery = (id: string) =>
  queryOptions({
    queryKey: ["run", id, "network"],
    queryFn: ({ signal }) => readEvents(id, { groups: ["network"], limit: 1000 }, signal),
  });

/** What speaks for the change and what against it, before anybody reads a line of it. */
export function ReviewSummary({ run, facts, diff }: { run: Run; facts: RunFacts; diff: string }) {
  const { t } = useWords();
  const { money } = useQuantities();
  const { usage } = facts;
  const checks = lastChecks(facts);
  const strength = [facts.strength, ...checks.map((check) => check.strength)].find(
    (each) => typeof each?.score === "number",
  );
  const passed = checks.filter(({ verdict }) => verdict === "passed").length;
  const doubts = checks.filter(
    ({ doubt, alsoPassesBefore }) => doubt !== undefined || alsoPassesBefore === true,
  ).length;
  const files = parseDiff(diff);
  const added = files.reduce((all, file) => all + file.added, 0);
  const removed = files.reduce((all, file) => all + file.removed, 0);
  return (
    <section aria-label={t("evidence.title")} className="overflow-hidden rounded-xl border border-line bg-panel">
      <dl className="grid gap-px bg-line sm:grid-cols-2 lg:grid-cols-3">
        <Cell name={t("runs.verdict")} note={facts.reason}>
          <VerdictPill verdict={run.verdict} />
        </Cell>
        <Cell
          name={t("evidence.checks")}
          note={doubts > 0 ? t("evidence.doubts", { count: doubts }) : ""}
          isWarning={doubts > 0}
        >
          {checks.length === 0 ? t("evidence.noChecks") : t("evidence.passed", { passed, total: checks.length })}
        </Cell>
        <Cell name={t("check.strength")} note={t("evidence.strengthText")}>
          {strength ? t("check.killed", { killed: strength.killed, total: strength.total }) : t("evidence.notMeasured")}
        </Cell>
        <Hosts run={run} />
        <Cell
          name={t("run.cost")}
          note={
            usage && usage.calls > 0
              ? t("run.tokenCounts", { input: usage.inputTokens, output: usage.outputTokens })
              : ""
          }
        >
          {!usage || usage.calls === 0
            ? t("evidence.noModel")
            : usage.costUsd === null
              ? t("evidence.unknownCost")
              : money(usage.costUsd)}
        </Cell>
        <Cell name={t("evidence.change")} note={t(`delivery.${facts.delivery}`)}>
          {t("evidence.files", { count: files.length })}{" "}
          <span className="tabular font-mono text-xs">
            <span className="text-good">+{added}</span> <span className="text-bad">−{removed}</span>
          </span>
        </Cell>
      </dl>
      {checks.length > 0 && (
        <details className="group border-line border-t">
          <summary className="flex list-none items-center gap-2 px-4 py-2 text-sm font-medium hover:bg-sunken">
            <Icon name="chevron" className="size-3.5 text-soft transition-transform group-open:rotate-90" />
            {t("evidence.all")}
          </summary>
          <div className="px-4 pb-4">
            <CheckList checks={checks} />
          </div>
        </details>
      )}
    </section>
  );
}

/** Those of the whole result, else those of each task's last attempt. */
function lastChecks(facts: RunFacts): readonly CheckResult[] {
  if (facts.checks.length > 0) return facts.checks;
  return [...facts.tasks.values()].flatMap(({ attempts }) => attempts.at(-1)?.checks ?? []);
}

function Hosts({ run }: { run: Run }) {
  const { t } = useWords();
  const { data } = useQuery(networkQuery(run.id));
  const hosts = listHosts(data?.events ?? []);
  const refused = hosts.filter(({ isRefused }) => isRefused);
  const reached = hosts.filter(({ isRefused }) => !isRefused);
  const names = (list: typeof hosts) =>
    list.map(({ name, times }) => (times > 1 ? `${name} ×${times}` : name)).join(", ");
  return (
    <Cell
      name={t("evidence.hosts")}
      note={refused.length > 0 ? t("evidence.refused", { hosts: names(refused) }) : ""}
      isWarning={refused.length > 0}
    >
      {!data ? (
        "…"
      ) : reached.length === 0 ? (
        t("evidence.noHost")
      ) : (
        <code className="font-mono text-xs">{names(reached)}</code>
      )}
    </Cell>
  );
}

interface CellProps {
  name: string;
  note?: string;
  isWarning?: boolean;
  children: ReactNode;
}

function Cell({ name, note = "", isWarning = false, children }: CellProps) {
  return (
    <div className="min-w-0 bg-panel px-4 py-3">
      <dt className="text-soft text-xs">{name}</dt>
      <dd className="mt-0.5 text-sm wrap-anywhere">
        {children}
        {note !== "" && (
          <span className={cx("mt-0.5 block text-xs", isWarning ? "text-warn" : "text-soft")}>{note}</span>
        )}
      </dd>
    </div>
  );
}
