import { useEffect, useRef, useState } from "react";
import { client } from "../../../data/client.ts";
import { Button } from "../../../parts/button.tsx";
import { ErrorNote } from "../../../parts/notes.tsx";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.ts";

interface Props {
  /** The session's. */
  id: string;
  /** It was left, and its step is on record. */
  onLeft(): void;
}

type Phase =
  | { kind: "opening" }
  | { kind: "open" }
  | { kind: "ended"; status: number | null }
  | { kind: "failed"; error: unknown };

/** A shell in the session. It is a step: what it changes stays when it is left. */
export function TerminalPanel({ id, onLeft }: Props) {
  const { t } = useWords();
  const place = useRef<HTMLDivElement>(null);
  const [phase, setPhase] = useState<Phase>({ kind: "opening" });
  const label = t("terminal.label");
  useEffect(() => {
    const node = place.current;
    if (!node) return;
    node.scrollIntoView({ block: "center" });
    return attach(node, { id, label, onPhase: setPhase });
  }, [id, label]);
  const [isLeaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    place.current?.dispatchEvent(new Event(LEAVE));
    // The step is on record when nothing runs any more: the next one waits for it.
    await client.sessions.get(id).catch(() => null);
    onLeft();
  };
  return (
    <Section
      title={t("terminal.title")}
      aside={
        <Button look="plain" className="ml-auto" disabled={isLeaving} onClick={() => void leave()}>
          {t("terminal.close")}
        </Button>
      }
    >
      <p className="mb-2 text-sm text-soft">{t("terminal.text")}</p>
      <div ref={place} className="h-96 overflow-hidden rounded-lg border border-line-strong bg-sunken p-2" />
      <div role="status" className="mt-2 text-sm text-soft">
        {phase.kind === "opening" && t("terminal.opening")}
        {phase.kind === "ended" &&
          (phase.status === null ? t("terminal.ended") : t("terminal.endedStatus", { status: phase.status }))}
      </div>
      {phase.kind === "failed" && <ErrorNote error={phase.error} />}
    </Section>
  );
}

const LEAVE = "drydock-leave";

interface Attached {
  id: string;
  label: string;
  onPhase(phase: Phase): void;
}

/** The shell and the screen that shows it, until the function that is given back is called. */
function attach(node: HTMLElement, { id, label, onPhase }: Attached): () => void {
  let isOver = false;
  const closing: (() => void)[] = [];
  const end = () => {
    isOver = true;
    for (const close of closing.splice(0)) close();
  };
  const begin = async () => {
    const { openScreen } = await import("./open-screen.ts");
    if (isOver) return;
    const keys: string[] = [];
    let send = (text: string): void => {
      keys.push(text);
    };
    let resize = (_columns: number, _rows: number) => {};
    const screen = openScreen(node, { label, onKeys: (text) => send(text), onResize: (...size) => resize(...size) });
    closing.push(screen.close);
    const { columns, rows } = screen.size;
    const terminal = await client.sessions.terminal(id, {
      ...{ columns, rows },
      onData: screen.show,
      onEnd: (status) => !isOver && onPhase({ kind: "ended", status }),
    });
    closing.unshift(terminal.close);
    if (isOver) return end();
    node.addEventListener(LEAVE, terminal.close, { once: true });
    send = terminal.write;
    resize = terminal.resize;
    for (const text of keys.splice(0)) terminal.write(text);
    onPhase({ kind: "open" });
    screen.focus();
  };
  begin().catch((error: unknown) => !isOver && onPhase({ kind: "failed", error }));
  return end;
}
