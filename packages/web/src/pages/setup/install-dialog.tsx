import { type FormEvent, type ReactNode, useId, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";

/** What was found at a source, and how exactly that is installed. */
export interface Installable {
  title: string;
  facts: ReactNode;
  install(): Promise<unknown>;
}

interface Props {
  title: string;
  hint: string;
  isOpen: boolean;
  onClose(): void;
  look(source: string): Promise<Installable>;
}

/** Two steps: it is shown what it asks for, and then exactly that is installed. */
export function InstallDialog({ title, hint, isOpen, onClose, look }: Props) {
  const { t } = useWords();
  const id = useId();
  const [source, setSource] = useState("");
  const [found, setFound] = useState<Installable | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const close = () => {
    setFound(null);
    setError(null);
    onClose();
  };
  const attempt = async (act: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await act();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      if (!found) return setFound(await look(source.trim()));
      await found.install();
      setSource("");
      close();
    });
  };
  return (
    <Dialog title={found?.title ?? title} isOpen={isOpen} onClose={close}>
      <form onSubmit={submit} className="mt-3 flex flex-col gap-4">
        {found ? (
          <div className="flex max-h-[55dvh] flex-col gap-3 overflow-y-auto text-sm">{found.facts}</div>
        ) : (
          <div className="flex flex-col gap-1.5">
            <label htmlFor={id} className="font-medium text-sm">
              {t("setup.source")}
            </label>
            <input
              id={id}
              required
              autoComplete="off"
              spellCheck={false}
              aria-describedby={`${id}-hint`}
              value={source}
              onChange={({ target }) => setSource(target.value)}
              className="field font-mono text-xs"
            />
            <p id={`${id}-hint`} className="text-soft text-xs">
              {hint}
            </p>
          </div>
        )}
        {error !== null && <ErrorNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={close}>{t("confirm.back")}</Button>
          <Button type="submit" look="primary" disabled={isBusy || source.trim() === ""}>
            {t(isBusy ? "setup.busy" : found ? "setup.install" : "setup.look")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
