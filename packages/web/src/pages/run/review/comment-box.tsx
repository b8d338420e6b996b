import { useId, useState } from "react";
import { Button } from "../../../parts/button.tsx";
import { useWords } from "../../../words/words.ts";

interface Props {
  /** What it is about, such as `calc.py, line 2`. */
  place: string;
  /** What was said already; empty: nothing. */
  text: string;
  isOpen: boolean;
  onOpen(): void;
  onSay(text: string): void;
  onClose(): void;
}

/** What a person says about one line: written, or to be read and changed. */
export function CommentBox({ place, text, isOpen, onOpen, onSay, onClose }: Props) {
  const { t } = useWords();
  if (isOpen) return <Writing place={place} text={text} onSay={onSay} onClose={onClose} />;
  return (
    <div className="flex items-start gap-2 border-accent border-l-3 bg-accent-tint px-3 py-2 font-sans text-sm">
      <p className="min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap">{text}</p>
      <Button look="quiet" className="h-6! px-2!" onClick={onOpen}>
        {t("comment.change")}
      </Button>
      <Button look="quiet" className="h-6! px-2!" onClick={() => onSay("")}>
        {t("comment.remove")}
      </Button>
    </div>
  );
}

function Writing({ place, text, onSay, onClose }: Pick<Props, "place" | "text" | "onSay" | "onClose">) {
  const { t } = useWords();
  const [words, setWords] = useState(text);
  const id = useId();
  const keep = () => {
    onSay(words);
    onClose();
  };
  return (
    <div className="flex flex-col gap-2 border-accent border-l-3 bg-accent-tint p-3 font-sans">
      <label htmlFor={id} className="text-soft text-xs wrap-anywhere">
        {place}
      </label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: the line was chosen to write about it.
        autoFocus
        rows={3}
        maxLength={10_000}
        value={words}
        placeholder={t("comment.placeholder")}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape") onClose();
          else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) keep();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
        className="field"
      />
      <div className="flex items-center gap-2">
        <Button look="primary" disabled={words.trim() === "" && text === ""} onClick={keep}>
          {t("comment.keep")}
        </Button>
        <Button look="quiet" onClick={onClose}>
          {t("confirm.back")}
        </Button>
      </div>
    </div>
  );
}
