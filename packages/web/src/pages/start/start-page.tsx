import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useNow } from "../../app/use-now.ts";
import { useTitle } from "../../app/use-title.ts";
import { client } from "../../data/client.ts";
import { countsQuery, newestRunsQuery } from "../../data/queries.ts";
import { StatusMark, VerdictPill } from "../../parts/badges.tsx";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { ScrollArea } from "../../parts/scroll-area.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import { SUGGESTIONS } from "./suggestions.ts";

const LATEST = 6;

/** The first page: what to try, what goes on, and what came of it lately. */
export function StartPage() {
  const { t } = useWords();
  useTitle(t("nav.start"));
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-8 px-4 py-6 md:px-8 md:py-10">
      <div>
        <h1 className="text-2xl font-semibold tracking-tight">{t("start.title")}</h1>
        <p className="mt-1 max-w-2xl text-soft">{t("start.text")}</p>
      </div>
      <Figures />
      <section aria-labelledby="try">
        <h2 id="try" className="mb-3 font-semibold">
          {t("start.try")}
        </h2>
        <ul className="grid gap-3 md:grid-cols-3">
          {SUGGESTIONS.map((suggestion) => (
            <Suggestion key={suggestion.title} {...suggestion} />
          ))}
        </ul>
      </section>
      <Latest />
    </div>
  );
}

function Suggestion({ title, text, code }: (typeof SUGGESTIONS)[number]) {
  const { t } = useWords();
  const navigate = useNavigate();
  const start = useMutation({
    mutationFn: () => client.runs.create({ kind: "exec", language: "python", code }),
    onSuccess: ({ id }) => navigate({ to: "/runs/$id", params: { id } }),
  });
  return (
    <li className="flex flex-col rounded-xl border border-line bg-panel p-4">
      <h3 className="text-sm font-semibold">{t(title)}</h3>
      <p className="mt-1 text-sm text-soft">{t(text)}</p>
      <ScrollArea
        label={t("run.code")}
        className="mt-3 max-h-28 flex-1 overflow-auto rounded-lg bg-sunken p-3 font-mono text-xs whitespace-pre"
      >
        {code}
      </ScrollArea>
      {start.error && (
        <div className="mt-3">
          <ErrorNote error={start.error} />
        </div>
      )}
      <Button className="mt-3 self-start" disabled={start.isPending} onClick={() => start.mutate()}>
        {t("start.run")}
      </Button>
    </li>
  );
}

function Figures() {
  const { t } = useWords();
  const { data, error } = useQuery(countsQuery({}));
  if (error) return <ErrorNote error={error} />;
  const count = (fits: (each: { status: string; verdict: string }) => boolean) =>
    data?.counts.filter(fits).reduce((all, { runs }) => all + runs, 0) ?? 0;
  const figures = [
    { word: "start.running", search: { status: ["running"] }, value: count(({ status }) => status === "running") },
    { word: "start.passed", search: { verdict: ["passed"] }, value: count(({ verdict }) => verdict === "passed") },
    {
      word: "start.unproven",
      search: { verdict: ["unproven"] },
      value: count(({ verdict }) => verdict === "unproven"),
    },
    { word: "start.failed", search: { status: ["failed"] }, value: count(({ status }) => status === "failed") },
  ] as const;
  return (
    <ul className="grid grid-cols-2 overflow-hidden rounded-xl border border-line bg-panel md:grid-cols-4">
      {figures.map(({ word, search, value }) => (
        <li
          key={word}
          className="border-line [&:nth-child(-n+2)]:border-b md:border-b-0! md:[&:not(:last-child)]:border-r"
        >
          <Link to="/runs" search={search} className="block px-4 py-3 hover:bg-sunken">
            <span className="tabular block text-xl font-semibold">{data ? value : "–"}</span>
            <span className="text-sm text-soft">{t(word)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Latest() {
  const { t } = useWords();
  const { data } = useQuery(newestRunsQuery({}));
  const now = useNow(10_000);
  const { ago } = useQuantities();
  if (!data || data.runs.length === 0) return null;
  return (
    <section aria-labelledby="latest">
      <div className="mb-3 flex items-baseline">
        <h2 id="latest" className="font-semibold">
          {t("start.latest")}
        </h2>
        <Link to="/runs" className="ml-auto text-accent text-sm hover:underline">
          {t("start.all")}
        </Link>
      </div>
      <ul className="overflow-hidden rounded-xl border border-line bg-panel">
        {data.runs.slice(0, LATEST).map(({ id, title, status, verdict, createdAt }) => (
          <li key={id} className="border-line not-last:border-b">
            <Link to="/runs/$id" params={{ id }} className="flex h-11 items-center gap-4 px-4 text-sm hover:bg-sunken">
              <StatusMark status={status} className="w-28 shrink-0" />
              <span className="min-w-0 flex-1 truncate font-medium">{title || id}</span>
              {verdict !== "unverified" && <VerdictPill verdict={verdict} />}
              <time dateTime={createdAt} className="tabular hidden w-24 text-right text-soft text-xs sm:block">
                {ago(createdAt, now)}
              </time>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
