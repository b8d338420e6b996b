import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useRef, useState } from "react";
import { useKeys } from "../../app/use-keys.ts";
import { useTitle } from "../../app/use-title.ts";
import { client } from "../../data/client.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { Section } from "../../parts/section.tsx";
import { useWords } from "../../words/words.ts";
import { GoalFields } from "./goal-fields.tsx";
import { Choice, EffortFields, PolicyFields } from "./more-fields.tsx";
import { PolicyPreview } from "./policy-preview.tsx";
import { beginDraft, findProblems, type Problem, type RunDraft, toRequest } from "./run-draft.ts";

export interface FieldsProps {
  draft: RunDraft;
  change(part: Partial<RunDraft>): void;
  /** What is wrong with a field, once it may be said; null if nothing is. */
  problemOf(name: keyof RunDraft): string | null;
}

/** A goal from its words to its start, with what it may touch beside it. */
export function NewRunPage() {
  const { t } = useWords();
  useTitle(t("nav.newRun"));
  const navigate = useNavigate();
  const [draft, setDraft] = useState(beginDraft(useSearch({ from: "/new" })));
  const [isSent, setSent] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const problems = findProblems(draft);
  const start = useMutation({
    mutationFn: () => client.runs.create(toRequest(draft)),
    onSuccess: ({ id }) => navigate({ to: "/runs/$id", params: { id } }),
  });
  const change = (part: Partial<RunDraft>) => setDraft((now) => ({ ...now, ...part }));
  const say = useProblems();
  const problemOf = (name: keyof RunDraft) => {
    const problem = problems[name];
    // What is only missing yet is no mistake before somebody wants to start.
    return problem && (isSent || problem.kind !== "required") ? say(problem) : null;
  };
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    setSent(true);
    if (Object.keys(problems).length === 0) return start.mutate();
    // The fields say it after this render.
    window.setTimeout(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  };
  useKeys({ "mod+enter": () => send() });
  const fields = { draft, change, problemOf };
  return (
    <form ref={form} noValidate onSubmit={send} className="mx-auto max-w-6xl px-4 py-6 md:px-8">
      <h1 className="font-semibold text-xl tracking-tight">{t("new.title")}</h1>
      <p className="mt-1 max-w-2xl text-soft">{t("new.text")}</p>
      <div className="mt-6 grid gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div className="flex min-w-0 flex-col gap-5">
          <GoalFields {...fields} />
          <Fold title={t("new.effort")}>
            <EffortFields {...fields} />
          </Fold>
          <Fold title={t("new.policy")}>
            <PolicyFields {...fields} />
          </Fold>
          <div className="flex flex-col gap-2.5 border-line border-t pt-5">
            <Choice isChosen={draft.reviewPlan} onChange={(reviewPlan) => change({ reviewPlan })}>
              {t("new.reviewPlan")}
              <span className="block text-soft text-xs">{t("new.reviewPlanText")}</span>
            </Choice>
            <Choice
              isChosen={draft.apply === "auto"}
              onChange={(isAuto) => change({ apply: isAuto ? "auto" : "never" })}
            >
              {t("new.autoApply")}
              <span className="block text-soft text-xs">{t("new.autoApplyText")}</span>
            </Choice>
          </div>
          {start.error && <ErrorNote error={start.error} />}
          <div className="flex items-center gap-3">
            <Button type="submit" look="primary" disabled={start.isPending} className="h-9 px-4">
              <Icon name="play" />
              {draft.reviewPlan ? t("new.plan") : t("new.start")}
            </Button>
            <span className="hidden items-center gap-1.5 text-soft text-xs md:flex">
              <kbd className="key">{navigator.platform.startsWith("Mac") ? "⌘↵" : "Ctrl ↵"}</kbd>
            </span>
          </div>
        </div>
        <aside className="min-w-0 lg:sticky lg:top-6 lg:self-start">
          <Section title={t("touch.title")}>
            <PolicyPreview draft={draft} />
          </Section>
        </aside>
      </div>
    </form>
  );
}

function Fold({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <details className="group rounded-xl border border-line bg-panel">
      <summary className="flex list-none items-center gap-2 px-3.5 py-2.5 text-sm font-medium hover:bg-sunken">
        <Icon name="chevron" className="size-3.5 text-soft transition-transform group-open:rotate-90" />
        {title}
      </summary>
      <div className="flex flex-col gap-4 border-line border-t px-3.5 py-4">{children}</div>
    </details>
  );
}

function useProblems(): (problem: Problem) => string {
  const { t } = useWords();
  return (problem) =>
    problem.kind === "check"
      ? t("problem.check", { line: problem.line, text: problem.text })
      : t(`problem.${problem.kind}`);
}
