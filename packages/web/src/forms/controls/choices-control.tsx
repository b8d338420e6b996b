import { useId, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { useWords } from "../../words/words.ts";
import type { FieldOption } from "../field.ts";
import type { ControlProps } from "./control-props.ts";
import { Suggestions } from "./suggestions.tsx";

/** Several of what there is. What is chosen and is not there any more stays in sight until somebody takes it out. */
export function ChoicesControl({ field, value, isDisabled, onChange }: ControlProps) {
  const { t } = useWords();
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const known = field.options.map((option) => option.value);
  const others = chosen
    .filter((each) => !known.includes(each))
    .map((each): FieldOption => ({ value: each, label: each }));
  const options = [...field.options, ...others];
  return (
    <div className="flex flex-col gap-1.5">
      {options.length === 0 && !field.isOpen && <p className="text-sm text-soft">{t("forms.nothingToChoose")}</p>}
      {options.length > 0 && (
        <ul className="grid max-h-72 gap-x-4 overflow-y-auto rounded-lg border border-line bg-panel p-1.5 sm:grid-cols-2">
          {options.map((option) => (
            <li key={option.value}>
              <label className="flex min-h-8 cursor-pointer items-start gap-2.5 rounded-md px-2 py-1.5 text-sm hover:bg-sunken">
                <input
                  type="checkbox"
                  disabled={isDisabled}
                  checked={chosen.includes(option.value)}
                  onChange={({ target }) =>
                    onChange(
                      target.checked ? [...chosen, option.value] : chosen.filter((each) => each !== option.value),
                    )
                  }
                  className="mt-0.5 size-4 shrink-0 accent-(--accent)"
                />
                <span className="min-w-0 wrap-anywhere">
                  {option.label}
                  {option.text && <span className="block text-soft text-xs">{option.text}</span>}
                  {!field.isOpen && !known.includes(option.value) && (
                    <span className="block text-bad text-xs">{t("forms.gone")}</span>
                  )}
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
      {field.isOpen && <AddOther field={field} isDisabled={isDisabled} onAdd={(text) => onChange([...chosen, text])} />}
    </div>
  );
}

interface AddOtherProps extends Pick<ControlProps, "field" | "isDisabled"> {
  onAdd(text: string): void;
}

function AddOther({ field, isDisabled, onAdd }: AddOtherProps) {
  const { t } = useWords();
  const [text, setText] = useState("");
  const offered = useId();
  const add = () => {
    if (text.trim() !== "") onAdd(text.trim());
    setText("");
  };
  return (
    <div className="flex gap-1.5">
      <input
        aria-label={t("forms.other", { name: field.label })}
        placeholder={t("forms.otherHint")}
        list={offered}
        disabled={isDisabled}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          add();
        }}
        className="field min-w-0 flex-1 font-mono text-xs"
      />
      <Button disabled={isDisabled || text.trim() === ""} onClick={add}>
        {t("forms.add")}
      </Button>
      <Suggestions id={offered} options={field.options} />
    </div>
  );
}
