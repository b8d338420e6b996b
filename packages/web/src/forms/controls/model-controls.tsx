import { useId } from "react";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useWords } from "../../words/words.ts";
import { isEmpty } from "../field.ts";
import { type ControlProps, describe } from "./control-props.ts";
import { Suggestions } from "./suggestions.tsx";

const readName = (value: unknown) => (typeof value === "string" && !isEmpty(value) ? value : "");

export function ModelControl(props: ControlProps) {
  const { field, value, onChange } = props;
  const offered = useId();
  return (
    <>
      <input
        {...describe(props)}
        list={offered}
        placeholder="PROVIDER/MODEL"
        autoComplete="off"
        spellCheck={false}
        value={readName(value)}
        onChange={({ target }) => onChange(target.value)}
        className="field w-full max-w-120 font-mono text-xs"
      />
      <Suggestions id={offered} options={field.options} />
    </>
  );
}

interface Choice {
  primary: string;
  fallbacks: readonly string[];
}

function readChoice(value: unknown): Choice {
  if (typeof value !== "object" || value === null) return { primary: readName(value), fallbacks: [] };
  const { primary, fallbacks } = value as Record<string, unknown>;
  return { primary: readName(primary), fallbacks: Array.isArray(fallbacks) ? fallbacks.map(String) : [] };
}

/** One model, and those that are asked where it fails, in their order. */
export function ModelsControl(props: ControlProps) {
  const { field, value, isDisabled, onChange } = props;
  const { t } = useWords();
  const offered = useId();
  const { primary, fallbacks } = readChoice(value);
  const put = (choice: Choice) => onChange(choice.primary === "" && choice.fallbacks.length === 0 ? undefined : choice);
  const putFallback = (at: number, text: string) =>
    put({ primary, fallbacks: fallbacks.map((each, index) => (index === at ? text : each)) });
  const swap = (at: number) => {
    const moved = [...fallbacks];
    moved.splice(at - 1, 2, fallbacks[at] ?? "", fallbacks[at - 1] ?? "");
    put({ primary, fallbacks: moved });
  };
  const common = { list: offered, autoComplete: "off", spellCheck: false, disabled: isDisabled };
  return (
    <div className="flex max-w-120 flex-col gap-1.5">
      <input
        {...describe(props)}
        {...common}
        placeholder={t("forms.modelHint")}
        value={primary}
        onChange={({ target }) => put({ primary: target.value, fallbacks })}
        className="field w-full font-mono text-xs"
      />
      {fallbacks.map((fallback, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fallbacks have no other name than their place.
        <div key={at} className="flex items-center gap-1.5">
          <span className="w-16 shrink-0 text-soft text-xs">{t("forms.orElse")}</span>
          <input
            {...common}
            aria-label={t("forms.fallback", { number: at + 1 })}
            value={fallback}
            onChange={({ target }) => putFallback(at, target.value)}
            className="field min-w-0 flex-1 font-mono text-xs"
          />
          <Button
            look="quiet"
            className="w-8 px-0"
            disabled={isDisabled || at === 0}
            aria-label={t("forms.earlier", { name: fallback })}
            onClick={() => swap(at)}
          >
            <Icon name="down" className="size-4 rotate-180" />
          </Button>
          <Button
            look="quiet"
            className="w-8 px-0"
            disabled={isDisabled}
            aria-label={t("forms.removeEntry", { name: fallback })}
            onClick={() => put({ primary, fallbacks: fallbacks.filter((_, index) => index !== at) })}
          >
            <Icon name="cross" />
          </Button>
        </div>
      ))}
      <Button
        className="self-start"
        disabled={isDisabled}
        onClick={() => put({ primary, fallbacks: [...fallbacks, ""] })}
      >
        {t("forms.addFallback")}
      </Button>
      <Suggestions id={offered} options={field.options} />
    </div>
  );
}
