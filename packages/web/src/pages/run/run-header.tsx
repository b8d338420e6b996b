import { hasEnded, type Run } from "@drydock/protocol";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useNow } from "../../app/use-now.ts";
import type { FeedState } from "../../data/run-feed.ts";
import { StatusMark, VerdictPill } from "../../parts/badges.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import type { RunFacts } from "./fold-facts.ts";
import { RunActions } from "./run-actions.tsx";
import type { Deed } from "./run-deeds.ts";

interface Props {
  run: Run;
  facts: RunFacts;
  state: FeedState["state"];
  /** Something was done with it. */
  onChanged(): Promise<void>;
  /** What stands elsewhere on the page. */
  without: readonly Deed[];
}

/** What the run is, how far, and what it cost. Status and verdict are two things. */
export function RunHeader({ run, facts, state, onChanged, without }: Props) {
  const { t } = useWords();
  const quantities = useQuantities();
  const now = useNow(hasEnded(run) ? 60_000 : 1000);
  const { usage } = facts;
  const durationMs = Math.max(0, (run.endedAt ? Date.parse(run.endedAt) : now) - Date.parse(run.createdAt));
  return (
    <header className="flex flex-col gap-3 pt-5 pb-3">
      <nav aria-label={t("run.path")} className="flex items-center gap-1.5 text-soft text-xs">
        <Link to="/runs" className="hover:text-ink hover:underline">
          {t("nav.runs")}
        </Link>
        <Icon name="chevron" className="size-3" />
        <code className="truncate font-mono">{run.id}</code>
      </nav>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <h1 className="min-w-0 flex-1 basis-80 font-semibold text-lg tracking-tight wrap-anywhere">
          {run.title || run.id}
        </h1>
        <RunActions run={run} facts={facts} onChanged={onChanged} without={without} />
      </div>
      <dl className="tabular flex flex-wrap items-center gap-x-5 gap-y-2 text-sm">
        <Fact name={t("runs.status")}>
          <StatusMark status={run.status} />
        </Fact>
        <Fact name={t("runs.verdict")}>
          <VerdictPill verdict={run.verdict} />
        </Fact>
        <Fact name={t("runs.kind")}>{t(`kind.${run.kind}`)}</Fact>
        <Fact name={t("run.duration")}>{quantities.duration(durationMs)}</Fact>
        <Fact name={t("run.started")}>
          <time dateTime={run.createdAt}>{quantities.time(run.createdAt)}</time>
        </Fact>
        {usage && usage.calls > 0 && (
          <Fact name={t("run.tokens")}>
            {t("run.tokenCounts", { input: usage.inputTokens, output: usage.outputTokens })}
          </Fact>
        )}
        {usage && usage.calls > 0 && usage.costUsd !== null && (
          <Fact name={t("run.cost")}>{quantities.money(usage.costUsd)}</Fact>
        )}
        {run.treeHash && (
          <Fact name={t("run.tree")}>
            <code title={run.treeHash} className="font-mono text-xs">
              {run.treeHash.slice(0, 12)}
            </code>
          </Fact>
        )}
        {run.workspace && (
          <Fact name={t("run.workspace")}>
            <code className="font-mono text-xs wrap-anywhere">{run.workspace}</code>
          </Fact>
        )}
      </dl>
      <p role="status" className="sr-only">
        {t(`status.${run.status}`)}, {t(`verdict.${run.verdict}`)}
      </p>
      {state === "waiting" && (
        <p className="flex items-center gap-1.5 text-sm text-warn">
          <Icon name="dot" className="pulse size-4" />
          {t("connection.waiting")}
        </p>
      )}
    </header>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <dt className="text-soft text-xs">{name}</dt>
      <dd className="flex min-w-0 items-center">{children}</dd>
    </div>
  );
}
