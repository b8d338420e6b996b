import type { Plan, Run } from "@drydock/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { client } from "../../data/client.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { Section } from "../../parts/section.tsx";
import { useWords } from "../../words/words.ts";
import type { TaskFacts } from "./fold-facts.ts";
import { addTask, changeTask, readTaskDrafts, removeTask, toTaskDrafts } from "./plan-draft.ts";
import { PlanGraph } from "./plan-graph.tsx";
import { PlanTaskForm } from "./plan-task-form.tsx";

/** The plan that a run waits with: read, changed, and carried out or not. */
export function PlanReview({ run, plan }: { run: Run; plan: Plan }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [drafts, setDrafts] = useState(() => toTaskDrafts(plan));
  const [isRejecting, setRejecting] = useState(false);
  const { plan: edited, problems } = useMemo(() => readTaskDrafts(plan.goal, drafts), [plan, drafts]);
  const isChanged = JSON.stringify(edited) !== JSON.stringify(plan);
  const approve = useMutation({
    mutationFn: () => client.plans.review(run.id, { decision: "approve", ...(isChanged && { plan: edited }) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["run", run.id] }),
  });
  const tasks = edited.tasks.map(
    (planned): TaskFacts => ({ id: planned.id, planned, status: "todo", reason: "", attempts: [] }),
  );
  return (
    <Section title={t("review.planTitle")}>
      <div className="flex flex-col gap-4">
        <p className="max-w-2xl text-sm text-soft">{t("review.planText")}</p>
        {tasks.length > 1 && (
          <PlanGraph
            tasks={tasks}
            chosen={null}
            onChoose={(id) => document.getElementById(`plan-task-${id}`)?.scrollIntoView({ block: "center" })}
          />
        )}
        <ol className="flex flex-col gap-3">
          {drafts.map((draft, index) => (
            <li key={draft.key} id={`plan-task-${draft.id}`}>
              <PlanTaskForm
                draft={draft}
                number={index + 1}
                others={drafts.filter(({ key }) => key !== draft.key)}
                problems={problems.get(draft.key) ?? {}}
                onChange={(part) => setDrafts(changeTask(drafts, draft.key, part))}
                onRemove={drafts.length > 1 ? () => setDrafts(removeTask(drafts, draft.key)) : null}
              />
            </li>
          ))}
        </ol>
        <Button className="self-start" onClick={() => setDrafts(addTask(drafts))}>
          <Icon name="plus" />
          {t("review.addTask")}
        </Button>
        {approve.error && <ErrorNote error={approve.error} />}
        <div className="sticky bottom-0 -mx-4 flex flex-wrap items-center gap-2 border-line border-t bg-page px-4 py-3 md:mx-0 md:px-0">
          <Button look="primary" disabled={problems.size > 0 || approve.isPending} onClick={() => approve.mutate()}>
            <Icon name="check" />
            {isChanged ? t("review.approveChanged") : t("review.approve")}
          </Button>
          <Button look="danger" onClick={() => setRejecting(true)}>
            {t("review.reject")}
          </Button>
          {isChanged && (
            <Button look="quiet" onClick={() => setDrafts(toTaskDrafts(plan))}>
              {t("review.undo")}
            </Button>
          )}
          {problems.size > 0 && (
            <p role="status" className="text-bad text-sm">
              {t("review.wrong", { count: problems.size })}
            </p>
          )}
        </div>
        <Rejection run={run} isOpen={isRejecting} onClose={() => setRejecting(false)} />
      </div>
    </Section>
  );
}

interface RejectionProps {
  run: Run;
  isOpen: boolean;
  onClose(): void;
}

function Rejection({ run, isOpen, onClose }: RejectionProps) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  return (
    <Confirm
      title={t("review.reject")}
      verb={t("review.reject")}
      isDangerous
      isOpen={isOpen}
      onClose={onClose}
      act={async () => {
        await client.plans.review(run.id, { decision: "reject", ...(reason.trim() !== "" && { reason }) });
        await queries.invalidateQueries({ queryKey: ["run", run.id] });
      }}
    >
      <p>{t("review.rejectText")}</p>
      <label className="flex flex-col gap-1">
        {t("approvals.reason")}
        <textarea
          rows={3}
          maxLength={10_000}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          className="field text-ink"
        />
      </label>
    </Confirm>
  );
}
