import type { Approval } from "@drydock/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useNow } from "../../app/use-now.ts";
import { approvalFactsQuery } from "../../data/approval-queries.ts";
import { Button } from "../../parts/button.tsx";
import { cx } from "../../parts/class-names.ts";
import { JsonView } from "../../parts/json-view.tsx";
import { ErrorNote, Loading } from "../../parts/notes.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import type { Decision } from "./decide.tsx";

/** What is asked, by whom, and with what: all that the record has of it. */
export function ApprovalDetail({ approval, onDecide }: { approval: Approval; onDecide(decision: Decision): void }) {
  const { t } = useWords();
  const { time } = useQuantities();
  const { data: facts, error } = useQuery(approvalFactsQuery(approval.runId));
  const { summary, risk, status, requestedBy, requestedAt, decidedBy, decidedAt, reason, runId } = approval;
  return (
    <div className="flex flex-col gap-5 p-4 md:p-6">
      <div className="flex flex-col gap-2">
        <h2 className="font-semibold">
          {approval.command} {approval.action}
        </h2>
        <p className="rounded-lg border border-line bg-sunken p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
          {summary}
        </p>
      </div>
      {status === "pending" && (
        <div className="flex flex-wrap items-center gap-2">
          <Button look="primary" onClick={() => onDecide("approve")}>
            {t("approvals.approve")}
            <kbd className="key">a</kbd>
          </Button>
          <Button look="danger" onClick={() => onDecide("deny")}>
            {t("approvals.deny")}
            <kbd className="key">d</kbd>
          </Button>
          {facts?.expiresAt && <Expiry at={facts.expiresAt} />}
        </div>
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">
        <Fact name={t("approvals.risk")}>
          <RiskMark risk={risk} />
        </Fact>
        <Fact name={t("approvals.by")}>{requestedBy}</Fact>
        <Fact name={t("approvals.at")}>{time(requestedAt)}</Fact>
        <Fact name={t("approvals.extension")}>{approval.extension}</Fact>
        {facts?.workspace && <Fact name={t("run.workspace")}>{facts.workspace}</Fact>}
        <Fact name={t("run.title")}>
          <Link to="/runs/$id" params={{ id: runId }} className="font-mono text-accent text-xs hover:underline">
            {runId}
          </Link>
        </Fact>
        <Fact name={t("runs.status")}>{t(`approval.${status}`)}</Fact>
        {decidedBy !== null && <Fact name={t("approvals.decidedBy")}>{decidedBy}</Fact>}
        {decidedAt !== null && <Fact name={t("approvals.decidedAt")}>{time(decidedAt)}</Fact>}
        {reason !== null && <Fact name={t("approvals.why")}>{reason}</Fact>}
      </dl>
      {error ? (
        <ErrorNote error={error} />
      ) : facts ? (
        <section aria-label={t("approvals.values")}>
          <h3 className="mb-2 text-sm font-semibold">{t("approvals.values")}</h3>
          <div className="rounded-lg border border-line bg-panel p-3 font-mono text-xs">
            <JsonView value={facts.values ?? {}} />
          </div>
        </section>
      ) : (
        <Loading />
      )}
    </div>
  );
}

export function RiskMark({ risk }: { risk: Approval["risk"] }) {
  const { t } = useWords();
  return (
    <span
      className={cx("text-xs font-medium", risk === "low" ? "text-soft" : risk === "medium" ? "text-warn" : "text-bad")}
    >
      {t(`risk.${risk}`)}
    </span>
  );
}

function Expiry({ at }: { at: string }) {
  const { t } = useWords();
  const { duration, time } = useQuantities();
  const left = Date.parse(at) - useNow(1000);
  return (
    <span title={time(at)} className="tabular ml-auto text-sm text-warn">
      {left > 0 ? t("approvals.left", { time: duration(Math.ceil(left / 1000) * 1000) }) : t("approvals.over")}
    </span>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  );
}
