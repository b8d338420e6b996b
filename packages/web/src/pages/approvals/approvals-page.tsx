import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useKeys } from "../../app/use-keys.ts";
import { useNow } from "../../app/use-now.ts";
import { useTitle } from "../../app/use-title.ts";
import { approvalsQuery, profileProposalsQuery } from "../../data/approval-queries.ts";
import { cx } from "../../parts/class-names.ts";
import { EmptyNote, ErrorNote, Loading } from "../../parts/notes.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import { ApprovalDetail, RiskMark } from "./approval-detail.tsx";
import { Decide, type Decision } from "./decide.tsx";
import { ProfileProposals } from "./profile-proposals.tsx";

/** What waits for a person's word, and what was decided. */
export function ApprovalsPage() {
  const { t } = useWords();
  const { id, decided = false, profiles = false } = useSearch({ from: "/approvals" });
  const navigate = useNavigate({ from: "/approvals" });
  const { data, error, refetch } = useQuery(approvalsQuery);
  const { data: proposals } = useQuery(profileProposalsQuery);
  const proposed = proposals?.profiles ?? [];
  const [decision, setDecision] = useState<Decision | null>(null);
  const pending = data?.approvals.filter(({ status }) => status === "pending").toReversed() ?? [];
  const shown = decided ? (data?.approvals.filter(({ status }) => status !== "pending") ?? []) : pending;
  // What a link names stays in sight after it was decided.
  const chosen = data?.approvals.find((each) => each.id === id) ?? shown[0];
  const waiting = pending.length + proposed.length;
  useTitle(waiting === 0 ? t("nav.approvals") : `(${waiting}) ${t("nav.approvals")}`);
  const choose = (next: string | undefined) =>
    void navigate({ search: { ...(decided && { decided }), ...(next && { id: next }) }, replace: true });
  const move = (step: number) => {
    const at = shown.findIndex((each) => each.id === chosen?.id);
    choose(shown[Math.max(0, Math.min(at + step, shown.length - 1))]?.id);
  };
  const ask = (next: Decision) => {
    if (chosen?.status !== "pending" || profiles) return;
    // From here on it is this one that is decided, whatever comes into the list meanwhile.
    choose(chosen.id);
    setDecision(next);
  };
  useKeys({
    ...{ j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) },
    ...{ a: () => ask("approve"), d: () => ask("deny") },
  });
  return (
    <div className="flex min-h-full flex-col">
      <header className="flex flex-wrap items-baseline gap-x-5 gap-y-2 border-line border-b px-4 pt-4 md:px-6">
        <h1 className="pb-3 font-semibold text-lg tracking-tight">{t("nav.approvals")}</h1>
        <Tabs
          shown={profiles ? "profiles" : decided ? "decided" : "waiting"}
          counts={{ waiting: pending.length, profiles: proposed.length }}
        />
        <p className="ml-auto hidden items-center gap-1.5 text-soft text-xs md:flex">
          <kbd className="key">j</kbd>
          <kbd className="key">k</kbd>
          {t("runs.keyMove")}
          <kbd className="key ml-2">a</kbd>
          {t("approvals.approve")}
          <kbd className="key ml-2">d</kbd>
          {t("approvals.deny")}
        </p>
      </header>
      {profiles ? (
        <ProfileProposals profiles={proposed} />
      ) : error ? (
        <div className="p-6">
          <ErrorNote error={error} onRetry={() => void refetch()} />
        </div>
      ) : !data ? (
        <Loading />
      ) : chosen === undefined ? (
        <EmptyNote title={t("approvals.none")}>{t("approvals.noneText")}</EmptyNote>
      ) : (
        <div className="grid flex-1 content-start md:grid-cols-[20rem_minmax(0,1fr)] md:content-stretch">
          <List approvals={shown} chosen={chosen.id} decided={decided} />
          <ApprovalDetail key={chosen.id} approval={chosen} onDecide={ask} />
          <Decide key={`decide ${chosen.id}`} approval={chosen} decision={decision} onClose={() => setDecision(null)} />
        </div>
      )}
    </div>
  );
}

interface TabsProps {
  shown: "waiting" | "decided" | "profiles";
  counts: { waiting: number; profiles: number };
}

function Tabs({ shown, counts }: TabsProps) {
  const { t } = useWords();
  const tabs = [
    { id: "waiting", search: {}, label: t("approvals.waiting", { count: counts.waiting }) },
    { id: "profiles", search: { profiles: true }, label: t("profiles.tab", { count: counts.profiles }) },
    { id: "decided", search: { decided: true }, label: t("approvals.decided") },
  ];
  return (
    <nav aria-label={t("nav.approvals")} className="flex gap-5">
      {tabs.map(({ id, search, label }) => (
        <Link
          key={id}
          to="/approvals"
          search={search}
          replace
          aria-current={id === shown ? "page" : undefined}
          className={cx(
            "flex items-center border-b-2 pb-3 text-sm",
            id === shown ? "border-accent font-medium" : "border-transparent text-soft hover:text-ink",
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

interface ListProps {
  approvals: readonly Parameters<typeof ApprovalDetail>[0]["approval"][];
  chosen: string;
  decided: boolean;
}

function List({ approvals, chosen, decided }: ListProps) {
  const { t } = useWords();
  const { ago } = useQuantities();
  const now = useNow(10_000);
  return (
    <ul className="border-line max-md:border-b md:border-r">
      {approvals.map(({ id, summary, risk, status, requestedBy, requestedAt }) => (
        <li key={id}>
          <Link
            to="/approvals"
            search={{ ...(decided && { decided }), id }}
            replace
            preload={false}
            aria-current={id === chosen ? "true" : undefined}
            className={cx(
              "block border-line border-b px-4 py-2.5 text-sm",
              id === chosen ? "bg-accent-tint shadow-[inset_3px_0_0_var(--accent)]" : "hover:bg-sunken",
            )}
          >
            <span className="block truncate font-medium">{summary}</span>
            <span className="flex items-center gap-2 text-soft text-xs">
              <RiskMark risk={risk} />
              <span className="min-w-0 truncate">{requestedBy}</span>
              <span className="tabular ml-auto shrink-0">
                {decided ? t(`approval.${status}`) : ago(requestedAt, Math.max(now, Date.parse(requestedAt)))}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
