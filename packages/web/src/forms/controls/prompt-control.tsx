import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useWords } from "../../words/words.ts";
import type { ControlProps } from "./control-props.ts";

const ROLES = ["system", "user", "assistant"] as const;
interface PromptPart {
  role: string;
  content: string;
}

/** A prompt may be one text, or messages with roles. */
function readParts(value: unknown): PromptPart[] {
  if (typeof value === "string") return value === "" ? [] : [{ role: "system", content: value }];
  if (!Array.isArray(value)) return [];
  return value.map((each) => {
    const { role, content } = Object(each) as Record<string, unknown>;
    return { role: typeof role === "string" ? role : "system", content: typeof content === "string" ? content : "" };
  });
}

export function PromptControl({ field, value, id, describedBy, isDisabled, onChange }: ControlProps) {
  const { t } = useWords();
  const parts = readParts(value);
  const put = (at: number, change: Partial<PromptPart>) =>
    onChange(parts.map((each, index) => (index === at ? { ...each, ...change } : each)));
  return (
    <div className="flex flex-col gap-2">
      {parts.map(({ role, content }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no other name than their place.
        <div key={at} className="overflow-hidden rounded-lg border border-line-strong bg-panel">
          <div className="flex items-center gap-2 border-line border-b px-2 py-1">
            <select
              aria-label={t("forms.role", { number: at + 1 })}
              disabled={isDisabled}
              value={role}
              onChange={({ target }) => put(at, { role: target.value })}
              className="h-7 rounded bg-transparent px-1 text-soft text-xs"
            >
              {!(ROLES as readonly string[]).includes(role) && <option value={role}>{role}</option>}
              {ROLES.map((each) => (
                <option key={each} value={each}>
                  {t(`role.${each}`)}
                </option>
              ))}
            </select>
            <Button
              look="quiet"
              className="ml-auto h-7 w-7 px-0"
              disabled={isDisabled}
              aria-label={t("forms.removeEntry", { name: String(at + 1) })}
              onClick={() => onChange(parts.filter((_, index) => index !== at))}
            >
              <Icon name="cross" />
            </Button>
          </div>
          <textarea
            id={at === 0 ? id : undefined}
            aria-label={t("forms.entry", { name: field.label, number: at + 1 })}
            aria-describedby={describedBy}
            disabled={isDisabled}
            rows={Math.min(16, Math.max(3, content.split("\n").length + 1))}
            value={content}
            onChange={({ target }) => put(at, { content: target.value })}
            className="block w-full resize-y bg-transparent px-3 py-2 text-sm outline-offset-[-2px]"
          />
        </div>
      ))}
      <Button
        className="self-start"
        disabled={isDisabled}
        onClick={() => onChange([...parts, { role: parts.length === 0 ? "system" : "user", content: "" }])}
      >
        {t("forms.addMessage")}
      </Button>
    </div>
  );
}
