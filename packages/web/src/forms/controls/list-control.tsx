import { useId } from "react";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useWords } from "../../words/words.ts";
import { type ControlProps, describe } from "./control-props.ts";
import { Suggestions } from "./suggestions.tsx";

function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Texts in an order: one line each. */
export function ListControl(props: ControlProps) {
  const { field, value, id, isDisabled, onChange } = props;
  const { t } = useWords();
  const offered = useId();
  const texts = toTexts(value);
  const put = (at: number, text: string) => onChange(texts.map((each, index) => (index === at ? text : each)));
  return (
    <div className="flex flex-col gap-1.5">
      {texts.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name than their place.
        <div key={at} className="flex gap-1.5">
          <input
            {...describe(props)}
            id={at === 0 ? id : undefined}
            required={false}
            aria-label={t("forms.entry", { name: field.label, number: at + 1 })}
            list={field.options.length > 0 ? offered : undefined}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={({ target }) => put(at, target.value)}
            className="field min-w-0 flex-1 font-mono text-xs"
          />
          <Button
            look="quiet"
            className="w-8 px-0"
            disabled={isDisabled}
            aria-label={t("forms.removeEntry", { name: text || String(at + 1) })}
            onClick={() => onChange(texts.filter((_, index) => index !== at))}
          >
            <Icon name="cross" />
          </Button>
        </div>
      ))}
      <Button className="self-start" disabled={isDisabled} onClick={() => onChange([...texts, ""])}>
        {t("forms.add")}
        <span className="sr-only">{field.label}</span>
      </Button>
      <Suggestions id={offered} options={field.options} />
    </div>
  );
}
