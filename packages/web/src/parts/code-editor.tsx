import { type KeyboardEvent, type Ref, useMemo } from "react";
import { cx } from "./class-names.ts";
import { type CodeLanguage, type CodePiece, highlightCode } from "./highlight-code.ts";

interface Props {
  label: string;
  value: string;
  language: CodeLanguage;
  onChange(value: string): void;
  /** Called before the editor's own keys; true: it was taken. */
  onKey?(event: KeyboardEvent<HTMLTextAreaElement>): boolean;
  onFocus?(): void;
  isReadOnly?: boolean;
  leastLines?: number;
  ref?: Ref<HTMLTextAreaElement>;
}

const COLORS: Readonly<Record<CodePiece["kind"], string>> = {
  ...{ plain: "", comment: "text-soft italic", string: "text-(--ansi-2)" },
  ...{ number: "text-(--ansi-4)", keyword: "text-(--ansi-5)" },
};
/** Both layers break their lines alike. */
const LAYER = "col-start-1 row-start-1 min-w-0 px-3 py-2 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap";

/** A program that is written: a text field, with the same text in colours behind it. Escape leaves it, Tab indents. */
export function CodeEditor({ label, value, language, leastLines = 1, ref, ...props }: Props) {
  const pieces = useMemo(() => highlightCode(value, language), [value, language]);
  const lines = Math.max(leastLines, value.split("\n").length);
  return (
    <div className="grid min-w-0">
      <div aria-hidden="true" className={cx(LAYER, "pointer-events-none select-none")}>
        {pieces.map(({ kind, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no names.
          <span key={index} className={COLORS[kind]}>
            {text}
          </span>
        ))}
        {"\u200b"}
      </div>
      <textarea
        ref={ref}
        aria-label={label}
        value={value}
        rows={lines}
        readOnly={props.isReadOnly}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={({ target }) => props.onChange(target.value)}
        onFocus={props.onFocus}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || props.onKey?.(event) === true || props.isReadOnly) return;
          indent(event, language);
        }}
        className={cx(LAYER, "resize-none overflow-hidden bg-transparent text-transparent caret-(--ink) outline-none")}
      />
    </div>
  );
}

function indent(event: KeyboardEvent<HTMLTextAreaElement>, language: CodeLanguage): void {
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  const step = language === "python" ? "    " : "  ";
  const begin = value.lastIndexOf("\n", selectionStart - 1) + 1;
  const line = value.slice(begin, selectionStart);
  const own = /^[ \t]*/.exec(line)?.[0] ?? "";
  if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const opens = /[:{([]$/.test(line.trimEnd());
    if (own === "" && !opens) return;
    event.preventDefault();
    insert(`\n${own}${opens ? step : ""}`);
  } else if (event.key === "Tab" && !event.shiftKey && !event.ctrlKey && selectionStart === selectionEnd) {
    event.preventDefault();
    insert(step);
  } else if (event.key === "Tab" && event.shiftKey && own !== "") {
    event.preventDefault();
    const width = Math.min(step.length, own.length);
    event.currentTarget.setSelectionRange(begin, begin + width);
    insert("");
    const back = Math.max(begin, selectionStart - width);
    event.currentTarget.setSelectionRange(back, back);
  }
}

/** As typed: it can be undone. */
function insert(text: string): void {
  if (text === "") document.execCommand("delete");
  else document.execCommand("insertText", false, text);
}
