import { useState } from "react";
import { Button, buttonClass } from "../../parts/button.tsx";
import { cx } from "../../parts/class-names.ts";
import { Icon } from "../../parts/icon.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import type { ControlProps } from "./control-props.ts";

function listFiles(value: unknown): Record<string, unknown>[] {
  return [value].flat().filter((each): each is Record<string, unknown> => typeof each === "object" && each !== null);
}

/** One file, or several. What is chosen goes to the server at once; the settings name it by its key. */
export function FileControl({ field, value, id, describedBy, isDisabled, ports, onChange }: ControlProps) {
  const { t } = useWords();
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const isSeveral = field.kind === "files";
  const files = listFiles(value);
  const put = (next: readonly object[]) => onChange(isSeveral ? next : next.at(-1));
  const keep = async (chosen: FileList | null) => {
    if (!chosen || chosen.length === 0) return;
    setState({ isBusy: true, error: null });
    try {
      const kept = await Promise.all([...chosen].map((file) => ports.keepFile(file)));
      put(isSeveral ? [...files, ...kept] : kept);
      setState({ isBusy: false, error: null });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <div className="flex flex-col gap-1.5">
      {files.map((file) => {
        const name = String(file.file_name ?? file.name ?? file.file_key);
        return (
          <p key={String(file.file_key)} className="flex items-center gap-2 text-sm">
            <Icon name="file" className="size-4 text-soft" />
            <span className="min-w-0 truncate">{name}</span>
            <Button
              look="quiet"
              className="w-8 px-0"
              disabled={isDisabled}
              aria-label={t("forms.removeEntry", { name })}
              onClick={() => put(files.filter((each) => each !== file))}
            >
              <Icon name="cross" />
            </Button>
          </p>
        );
      })}
      <label
        className={cx(
          buttonClass(),
          "cursor-pointer self-start focus-within:outline-2 focus-within:outline-accent",
          (isDisabled || state.isBusy) && "opacity-50",
        )}
      >
        {t(state.isBusy ? "forms.sending" : isSeveral ? "forms.chooseFiles" : "forms.chooseFile")}
        <input
          id={id}
          type="file"
          multiple={isSeveral}
          disabled={isDisabled || state.isBusy}
          aria-describedby={describedBy}
          onChange={({ target }) => {
            void keep(target.files);
            target.value = "";
          }}
          className="sr-only"
        />
      </label>
      {state.error !== null && <ErrorNote error={state.error} />}
    </div>
  );
}
