import { useTitle } from "../../app/use-title.ts";
import { useMayRun } from "../../data/use-may-run.ts";
import { Section } from "../../parts/section.tsx";
import { useWords } from "../../words/words.ts";
import { OpenNotebook } from "./open-notebook.tsx";
import { RunOnce } from "./run-once.tsx";
import { SessionList } from "./session-list.tsx";

/** Code in the sandbox, tried by hand: in a notebook, or once. */
export function PlaygroundPage() {
  const { t } = useWords();
  const mayRun = useMayRun();
  useTitle(t("nav.playground"));
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 md:px-8">
      <h1 className="font-semibold text-xl tracking-tight">{t("nav.playground")}</h1>
      <p className="mt-1 max-w-2xl text-soft">{t("play.text")}</p>
      <div className="mt-6 grid items-start gap-8 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-8">
          <Section title={t("play.notebook")}>
            <p className="mb-3 text-sm text-soft">{t("play.notebookText")}</p>
            {mayRun && <OpenNotebook />}
          </Section>
          <SessionList />
        </div>
        {mayRun && (
          <Section title={t("play.once")}>
            <p className="mb-3 text-sm text-soft">{t("play.onceText")}</p>
            <RunOnce />
          </Section>
        )}
      </div>
    </div>
  );
}
