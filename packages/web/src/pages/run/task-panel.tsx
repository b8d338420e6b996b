import { VerdictPill } from "../../parts/badges.tsx";
import { useWords } from "../../words/words.ts";
import { CheckList } from "./check-list.tsx";
import { type AttemptFacts, type TaskFacts, toVerdict } from "./fold-facts.ts";

/** One task of the plan: what it asks for, and its attempts with their checks. */
export function TaskPanel({ task }: { task: TaskFacts }) {
  const { t } = useWords();
  const { planned, attempts, reason } = task;
  return (
    <div className="mt-4 flex flex-col gap-4 rounded-xl border border-line bg-panel p-4">
      <div>
        <h3 className="text-sm font-semibold">{planned?.title || task.id}</h3>
        {planned?.instructions && (
          <p className="mt-1 text-sm text-soft wrap-anywhere whitespace-pre-wrap">{planned.instructions}</p>
        )}
        {planned && (
          <p className="mt-1 text-soft text-xs">
            {t("task.scope")}: <code className="font-mono">{planned.scope.join(", ")}</code>
          </p>
        )}
        {reason !== "" && <p className="mt-1 text-sm">{reason}</p>}
      </div>
      {attempts.map((attempt, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: attempts are appended, and numbers can come again.
        <Attempt key={index} attempt={attempt} />
      ))}
    </div>
  );
}

function Attempt({ attempt }: { attempt: AttemptFacts }) {
  const { t } = useWords();
  const verdict = toVerdict(attempt.verdict);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h4 className="text-sm font-medium">{t("attempt.title", { number: attempt.number })}</h4>
        {verdict && <VerdictPill verdict={verdict} />}
        {attempt.failure && <span className="text-bad text-sm">{attempt.failure}</span>}
      </div>
      {attempt.summary !== "" && <p className="text-sm text-soft">{attempt.summary}</p>}
      {attempt.reason !== "" && <p className="text-sm">{attempt.reason}</p>}
      {attempt.checks.length > 0 && <CheckList checks={attempt.checks} />}
    </div>
  );
}
