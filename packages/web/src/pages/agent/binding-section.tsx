import type { Binding } from "@drydock/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../data/client.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { useWords } from "../../words/words.ts";
import { Part } from "./agent-form.tsx";
import { DryRun } from "./dry-run.tsx";
import { EditBinding } from "./edit-binding.tsx";
import { writeFilter } from "./filter-text.ts";

interface Props {
  agent: string;
  bindings: readonly Binding[];
  isOwner: boolean;
}

/** Which events the agent gets, and a trial of which agent an event would reach. */
export function BindingSection({ agent, bindings, isOwner }: Props) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [editing, setEditing] = useState<Binding | "new" | null>(null);
  const [leaving, setLeaving] = useState<Binding | null>(null);
  const unbind = async () => {
    if (leaving) await client.host.bindings.remove(leaving.id);
    await queries.invalidateQueries({ queryKey: ["host"] });
  };
  return (
    <Part title={t("agents.gets")} text={bindings.length === 0 ? t("agents.getsNothing") : null}>
      <ul className="flex flex-col">
        {bindings.map((binding) => (
          <li
            key={binding.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-2 text-sm last:border-b-0"
          >
            <code className="font-mono text-xs">{binding.event}</code>
            <span className="text-soft">{t(`scopeOf.${binding.scope}`)}</span>
            {binding.value && <code className="font-mono text-xs wrap-anywhere">{binding.value}</code>}
            {binding.filters.map((filter) => (
              <code key={writeFilter(filter)} className="rounded bg-sunken px-1.5 font-mono text-xs wrap-anywhere">
                {writeFilter(filter)}
              </code>
            ))}
            {binding.priority !== 0 && (
              <span className="text-soft text-xs">{`${t("binding.priority")} ${binding.priority}`}</span>
            )}
            <span className="ml-auto flex gap-1">
              <Button look="quiet" disabled={!isOwner} onClick={() => setEditing(binding)}>
                {t("agent.edit")}
              </Button>
              <Button look="quiet" disabled={!isOwner} onClick={() => setLeaving(binding)}>
                {t("agents.unbind")}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <Button className="mt-2" disabled={!isOwner} onClick={() => setEditing("new")}>
        {t("binding.new")}
      </Button>
      <DryRun />
      <Dialog
        title={t(editing === "new" ? "binding.new" : "binding.edit")}
        isOpen={editing !== null}
        onClose={() => setEditing(null)}
        className="max-h-[90dvh] overflow-y-auto"
      >
        {editing !== null && (
          <EditBinding agent={agent} binding={editing === "new" ? null : editing} onDone={() => setEditing(null)} />
        )}
      </Dialog>
      <Confirm
        title={t("agents.unbind")}
        verb={t("agents.unbind")}
        isDangerous
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        act={unbind}
      >
        <p>{t("agents.unbindText")}</p>
      </Confirm>
    </Part>
  );
}
