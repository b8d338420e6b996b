import type { PolicyDocument } from "@drydock/protocol";
import { Field } from "../../parts/field.tsx";
import { useWords } from "../../words/words.ts";
import { toPolicy } from "../new-run/run-draft.ts";

/** Where code runs and what it may use, as it is written in a form. */
export interface PlaceDraft {
  workspace: string;
  hosts: string;
  seconds: string;
  memory: string;
}

export const NO_PLACE: PlaceDraft = { workspace: "", hosts: "", seconds: "", memory: "" };

/** The request that the fields make; empty fields ask for nothing. */
export function readPlace({ workspace, ...draft }: PlaceDraft): { workspace?: string; policy?: PolicyDocument } {
  const policy = toPolicy({ ...draft, write: "" });
  return { ...(workspace.trim() !== "" && { workspace: workspace.trim() }), ...(policy !== null && { policy }) };
}

export function hasProblem({ workspace, seconds, memory }: PlaceDraft): boolean {
  return !isPath(workspace) || !isPositive(seconds) || !isPositive(memory);
}

const isPath = (text: string) => text.trim() === "" || text.trim().startsWith("/");
const isPositive = (text: string) => text.trim() === "" || Number(text) > 0;

/** `workspace`, and what the request asks of the policy, within its ceiling. */
export function PlaceFields({ draft, onChange }: { draft: PlaceDraft; onChange(draft: PlaceDraft): void }) {
  const { t } = useWords();
  const number = (name: "seconds" | "memory", label: string) => (
    <Field label={label} hint={t("new.asPolicy")} problem={isPositive(draft[name]) ? null : t("problem.number")}>
      {(ids) => (
        <input
          {...ids}
          inputMode="decimal"
          value={draft[name]}
          onChange={({ target }) => onChange({ ...draft, [name]: target.value })}
          className="field tabular"
        />
      )}
    </Field>
  );
  return (
    <>
      <Field
        label={t("play.workspace")}
        hint={t("play.workspaceHint")}
        problem={isPath(draft.workspace) ? null : t("problem.path")}
      >
        {(ids) => (
          <input
            {...ids}
            value={draft.workspace}
            spellCheck={false}
            autoComplete="off"
            placeholder="/home/ada/calc"
            onChange={({ target }) => onChange({ ...draft, workspace: target.value })}
            className="field font-mono"
          />
        )}
      </Field>
      <details className="rounded-lg border border-line bg-panel">
        <summary className="px-3 py-2 text-sm font-medium hover:bg-sunken">{t("play.more")}</summary>
        <div className="grid gap-3 border-line border-t p-3 sm:grid-cols-2">
          {number("seconds", t("new.seconds"))}
          {number("memory", t("new.memory"))}
          <Field label={t("new.hosts")} hint={t("new.hostsHint")} className="sm:col-span-2">
            {(ids) => (
              <textarea
                {...ids}
                rows={2}
                value={draft.hosts}
                placeholder="api.example.org:443"
                spellCheck={false}
                onChange={({ target }) => onChange({ ...draft, hosts: target.value })}
                className="field font-mono"
              />
            )}
          </Field>
        </div>
      </details>
    </>
  );
}
