import { hasEnded, type Run } from "@drydock/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { outputQuery } from "../../data/queries.ts";
import { VerdictPill } from "../../parts/badges.tsx";
import { buttonClass } from "../../parts/button.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { Section } from "../../parts/section.tsx";
import { TerminalText } from "../../parts/terminal-text.tsx";
import { useWords } from "../../words/words.ts";
import { ArtifactView } from "./artifact-view.tsx";
import { CheckList } from "./check-list.tsx";
import type { RunFacts } from "./fold-facts.ts";
import { PlanGraph } from "./plan-graph.tsx";
import { PlanReview } from "./plan-review.tsx";
import { TaskPanel } from "./task-panel.tsx";

/** What was to be done, how far it is, and what came of it. */
export function RunOverview({ run, facts, error }: { run: Run; facts: RunFacts; error: unknown }) {
  const { t } = useWords();
  const tasks = [...facts.tasks.values()].filter(({ id }) => id !== "");
  const [picked, setPicked] = useState<string | null>(null);
  const chosen = tasks.find(({ id }) => id === picked) ?? (tasks.length === 1 ? tasks[0] : undefined);
  const code = codeOf(facts.created);
  const isGoal = run.kind === "goal";
  const isExecution = run.kind === "exec" || run.kind === "session";
  const { strength, plan } = facts;
  const waits = plan !== null && facts.isProposed && !hasEnded(run) && run.status !== "running";
  return (
    <div className="flex flex-col gap-7">
      {error !== null && <ErrorNote error={error} />}
      {facts.reason !== "" && error === null && <p className="text-sm text-soft">{facts.reason}</p>}
      {isGoal && facts.delivery === "captured" && hasEnded(run) && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-accent bg-accent-tint px-4 py-3 text-sm">
          <p className="min-w-0 flex-1">{t("review.waits")}</p>
          <Link to="/runs/$id" params={{ id: run.id }} search={{ tab: "changes" }} className={buttonClass("primary")}>
            {t("review.open")}
          </Link>
        </div>
      )}
      {waits && <PlanReview key={JSON.stringify(plan)} run={run} plan={plan} />}
      {tasks.length > 0 && !waits && (
        <Section title={t("plan.title")}>
          <PlanGraph tasks={tasks} chosen={chosen?.id ?? null} onChoose={setPicked} />
          {chosen && <TaskPanel task={chosen} />}
        </Section>
      )}
      {code !== null && (
        <Section title={t("run.code")}>
          <TerminalText text={code} label={t("run.code")} className="max-h-96" />
        </Section>
      )}
      {isExecution && !hasEnded(run) && facts.output.length === 0 && <LiveOutput id={run.id} />}
      {facts.output.map(({ stdout, stderr }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outputs are appended.
        <Section key={index} title={t("run.output")}>
          {stdout !== "" && <TerminalText text={stdout} label="stdout" className="max-h-[32rem]" />}
          {stderr !== "" && <TerminalText text={stderr} label="stderr" className="mt-2 max-h-80 border-bad!" />}
        </Section>
      ))}
      {facts.artifacts.length > 0 && (
        <Section title={t("tab.files")}>
          <ul className="flex flex-col gap-3">
            {facts.artifacts.slice(0, 4).map((artifact) => (
              <li key={artifact.id}>
                <ArtifactView artifact={artifact} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {facts.result !== undefined && facts.result !== null && (
        <Section title={t("run.result")}>
          <div className="rounded-lg border border-line bg-panel p-3 font-mono text-xs">
            <JsonView value={facts.result} />
          </div>
        </Section>
      )}
      {facts.checks.length > 0 && (
        <Section title={t("run.checks")} aside={<VerdictPill verdict={run.verdict} />}>
          <CheckList checks={facts.checks} />
        </Section>
      )}
      {strength?.score !== undefined && strength?.score !== null && (
        <p className="text-sm text-soft">
          {t("check.strength")}: {t("check.killed", { killed: strength.killed, total: strength.total })}
        </p>
      )}
    </div>
  );
}

/** What the code has printed so far: it is on record when the run ends. */
function LiveOutput({ id }: { id: string }) {
  const { t } = useWords();
  const { data } = useQuery(outputQuery(id));
  if (!data || data.stdout + data.stderr === "") return null;
  return (
    <Section title={t("run.outputSoFar")}>
      {data.stdout !== "" && <TerminalText text={data.stdout} label="stdout" className="max-h-[32rem]" />}
      {data.stderr !== "" && <TerminalText text={data.stderr} label="stderr" className="mt-2 max-h-80 border-bad!" />}
      {data.isCut && <p className="mt-1 text-soft text-xs">{t("run.outputCut")}</p>}
    </Section>
  );
}

/** The program that was sent, as the record has it. */
function codeOf(created: RunFacts["created"]): string | null {
  const request = Object(created.request) as { code?: unknown; command?: unknown };
  if (typeof request.code === "string") return request.code;
  return Array.isArray(request.command) ? request.command.map(String).join(" ") : null;
}
