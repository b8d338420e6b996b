import type { RunSummary } from "@drydock/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useNow } from "../../app/use-now.ts";
import { newestRunsQuery } from "../../data/queries.ts";
import { sessionsQuery } from "../../data/session-queries.ts";
import { ErrorNote } from "../../parts/notes.tsx";
import { Section } from "../../parts/section.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import { LANGUAGE_NAMES } from "./language-choice.tsx";

const MOST_RECENT = 8;

/** Notebooks that are open in this server, and those that were, as far as the newest records tell. */
export function SessionList() {
  const { t } = useWords();
  const { ago } = useQuantities();
  const now = useNow(10_000);
  const { data, error } = useQuery(sessionsQuery);
  const { data: runs } = useQuery(newestRunsQuery({ kind: "session" }));
  const live = data?.sessions ?? [];
  const recent = findRecent(runs?.runs ?? [], new Set(live.map(({ sessionId }) => sessionId)));
  return (
    <>
      <Section title={t("play.live")}>
        {error && <ErrorNote error={error} />}
        {data && live.length === 0 && <p className="text-sm text-soft">{t("play.none")}</p>}
        <List>
          {live.map(({ sessionId, language, steps, lastUsedAt, workspace }) => (
            <Row
              key={sessionId}
              id={sessionId}
              title={`${LANGUAGE_NAMES[language]} · ${workspace?.split("/").at(-1) ?? sessionId.slice(-6)}`}
              aside={`${t("play.steps", { count: steps })} · ${ago(lastUsedAt, now)}`}
            />
          ))}
        </List>
      </Section>
      {recent.length > 0 && (
        <Section title={t("play.recent")}>
          <List>
            {recent.map(({ sessionId, title, createdAt }) => (
              <Row key={sessionId} id={sessionId} title={title} aside={ago(createdAt, now)} />
            ))}
          </List>
        </Section>
      )}
    </>
  );
}

interface RecentSession extends Pick<RunSummary, "title" | "createdAt"> {
  sessionId: string;
}

/** The newest step of each session that is not open. */
function findRecent(runs: readonly RunSummary[], live: ReadonlySet<string>): RecentSession[] {
  const found = new Map<string, RecentSession>();
  for (const { sessionId, title, createdAt } of runs) {
    if (sessionId !== null && !live.has(sessionId) && !found.has(sessionId)) {
      found.set(sessionId, { sessionId, title, createdAt });
    }
  }
  return [...found.values()].slice(0, MOST_RECENT);
}

function List({ children }: { children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return <ul className="overflow-hidden rounded-xl border border-line bg-panel">{children}</ul>;
}

function Row({ id, title, aside }: { id: string; title: string; aside: string }) {
  return (
    <li className="border-line not-last:border-b">
      <Link
        to="/playground/$id"
        params={{ id }}
        className="flex min-h-11 items-center gap-3 px-3.5 py-1.5 text-sm hover:bg-sunken"
      >
        <span className="min-w-0 flex-1 truncate font-medium">{title}</span>
        <span className="tabular shrink-0 text-soft text-xs">{aside}</span>
      </Link>
    </li>
  );
}
