import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import type { Attachment, Outgoing } from "../../data/chat.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import { fitsEvent, readAttachments } from "./read-attachments.ts";

const MOST_FILES = 10;

interface Props {
  /** A run is under way: a message may steer it. */
  isRunning: boolean;
  /** What is written so far decides which binding takes it. */
  onDraft(text: string): void;
  onSend(message: Pick<Outgoing, "text" | "attachments">): void;
}

/** Words and files. Enter sends, with Shift it begins a new line. */
export function Composer({ isRunning, onDraft, onSend }: Props) {
  const { t } = useWords();
  const [text, setText] = useState("");
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const [problem, setProblem] = useState<"chat.tooLarge" | "chat.tooMany" | null>(null);
  const change = (next: string) => {
    setText(next);
    onDraft(next);
  };
  const attach = async (files: Iterable<File>) => {
    const all = [...attachments, ...(await readAttachments(files))];
    if (all.length > MOST_FILES) return setProblem("chat.tooMany");
    if (!fitsEvent(text, all)) return setProblem("chat.tooLarge");
    setProblem(null);
    setAttachments(all);
  };
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === "") return;
    if (!fitsEvent(text, attachments)) return setProblem("chat.tooLarge");
    onSend({ text, attachments });
    change("");
    setAttachments([]);
    setProblem(null);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    send(event);
  };
  const paste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void attach(event.clipboardData.files);
  };
  return (
    <form
      onSubmit={send}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void attach(event.dataTransfer.files);
      }}
      className="rounded-xl border border-line-strong bg-panel p-2 focus-within:border-accent"
    >
      {attachments.length > 0 && (
        <AttachmentList
          attachments={attachments}
          onRemove={(index) => {
            setAttachments(attachments.filter((_, at) => at !== index));
            setProblem(null);
          }}
        />
      )}
      <textarea
        aria-label={t("chat.message")}
        placeholder={t(isRunning ? "chat.steer" : "chat.message")}
        rows={Math.min(10, text.split("\n").length + 1)}
        value={text}
        maxLength={1_000_000}
        onChange={({ target }) => change(target.value)}
        onKeyDown={press}
        onPaste={paste}
        className="w-full resize-none bg-transparent px-1.5 py-1 outline-none placeholder:text-soft"
      />
      {problem !== null && (
        <p role="alert" className="px-1.5 pb-2 text-sm text-bad">
          {t(problem, { count: MOST_FILES })}
        </p>
      )}
      <Bar isEmpty={text.trim() === ""} onAttach={(files) => void attach(files)} />
    </form>
  );
}

function Bar({ isEmpty, onAttach }: { isEmpty: boolean; onAttach(files: readonly File[]): void }) {
  const { t } = useWords();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className="flex items-center gap-2">
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t("chat.attach")}
        onChange={({ target }) => {
          onAttach([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <Button look="quiet" onClick={() => picker.current?.click()}>
        <Icon name="file" />
        {t("chat.attach")}
      </Button>
      <span className="ml-auto hidden items-center gap-1.5 text-soft text-xs sm:flex">
        <kbd className="key">↵</kbd>
        {t("chat.send")}
        <kbd className="key ml-1">⇧</kbd>
        <kbd className="key">↵</kbd>
        {t("chat.newLine")}
      </span>
      <Button type="submit" look="primary" disabled={isEmpty} className="max-sm:ml-auto">
        {t("chat.send")}
      </Button>
    </div>
  );
}

interface AttachmentListProps {
  attachments: readonly Attachment[];
  onRemove(index: number): void;
}

function AttachmentList({ attachments, onRemove }: AttachmentListProps) {
  const { t } = useWords();
  const { bytes } = useQuantities();
  return (
    <ul className="mb-1 flex flex-wrap gap-1.5">
      {attachments.map(({ name, size }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: files may have one name.
          key={index}
          className="flex items-center gap-1.5 rounded-md border border-line-strong bg-sunken py-0.5 pr-0.5 pl-2 text-xs"
        >
          <span className="font-mono wrap-anywhere">{name}</span>
          <span className="text-soft">{bytes(size)}</span>
          <button
            type="button"
            aria-label={t("chat.removeFile", { name })}
            onClick={() => onRemove(index)}
            className="grid size-6 place-items-center rounded text-soft hover:bg-panel hover:text-ink"
          >
            <Icon name="cross" className="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  );
}
