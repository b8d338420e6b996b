import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTitle } from "../../app/use-title.ts";
import { runQuery } from "../../data/queries.ts";
import { useRunFeed } from "../../data/use-run-feed.ts";
import { cx } from "../../parts/class-names.ts";
import { ErrorNote, Loading } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import { foldFacts } from "./fold-facts.ts";
import { RunReview } from "./review/run-review.tsx";
import { RUN_TABS, type RunTab } from "./route.ts";
import { RunFiles } from "./run-files.tsx";
import { RunHeader } from "./run-header.tsx";
import { RunOverview } from "./run-overview.tsx";
import { RunRecord } from "./run-record.tsx";
import { RunTimeline } from "./run-timeline.tsx";

export function RunPage() {
  const { t } = useWords();
  const { id } = useParams({ from: "/runs/$id" });
  const { tab = "overview", event } = useSearch({ from: "/runs/$id" });
  const navigate = useNavigate({ from: "/runs/$id" });
  const { data: run, error, refetch } = useQuery(runQuery(id));
  const { feed, ...state } = useRunFeed(id);
  const facts = useMemo(() => foldFacts(state.facts), [state.facts]);
  useTitle(run?.title || t("run.title"));
  if (error) {
    return (
      <div className="mx-auto max-w-2xl p-6">
        <ErrorNote error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!run) return <Loading />;
  return (
    <div className={cx("flex flex-col px-4 md:px-8", tab === "timeline" && "md:h-full")}>
      <RunHeader
        run={run}
        facts={facts}
        state={state.state}
        onChanged={feed.refresh}
        // Below the change that they are about, there they stand again.
        without={tab === "changes" ? ["apply", "discard"] : []}
      />
      <Tabs id={id} tab={tab} />
      <div className={cx("py-5", tab === "timeline" && "min-h-[36rem] flex-1 md:min-h-0")}>
        {state.error && <ErrorNote error={state.error} onRetry={() => feed.start()} />}
        {tab === "overview" && <RunOverview run={run} facts={facts} error={run.error} />}
        {tab === "timeline" && (
          <RunTimeline
            state={state}
            feed={feed}
            chosen={event ?? null}
            onChoose={(seq) => void navigate({ search: { tab, event: seq }, replace: true })}
          />
        )}
        {tab === "changes" && <RunReview run={run} facts={facts} onChanged={feed.refresh} />}
        {tab === "files" && <RunFiles run={run} />}
        {tab === "record" && <RunRecord run={run} />}
      </div>
    </div>
  );
}

function Tabs({ id, tab }: { id: string; tab: RunTab }) {
  const { t } = useWords();
  return (
    <nav aria-label={t("run.parts")} className="-mx-4 overflow-x-auto border-line border-b px-4 md:mx-0 md:px-0">
      <ul className="flex gap-5">
        {RUN_TABS.map((each) => (
          <li key={each}>
            <Link
              to="/runs/$id"
              params={{ id }}
              search={each === "overview" ? {} : { tab: each }}
              replace
              aria-current={each === tab ? "page" : undefined}
              className={cx(
                "flex h-10 items-center border-b-2 text-sm whitespace-nowrap",
                each === tab ? "border-accent font-medium text-ink" : "border-transparent text-soft hover:text-ink",
              )}
            >
              {t(`tab.${each}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
