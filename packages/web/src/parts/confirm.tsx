import { type ReactNode, useState } from "react";
import { useWords } from "../words/words.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorNote } from "./notes.tsx";

interface Props {
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** The word on the button that does it. */
  verb: string;
  isDangerous?: boolean;
  isOpen: boolean;
  onClose(): void;
  act(): Promise<unknown>;
}

/** Asks before something changes, and says what went wrong where it did. */
export function Confirm({ title, children, verb, isDangerous = false, isOpen, onClose, act }: Props) {
  const { t } = useWords();
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const close = () => {
    setState({ isBusy: false, error: null });
    onClose();
  };
  const confirm = async () => {
    setState({ isBusy: true, error: null });
    try {
      await act();
      close();
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      <div className="mt-2 flex flex-col gap-3 text-sm text-soft">{children}</div>
      {state.error !== null && (
        <div className="mt-4">
          <ErrorNote error={state.error} />
        </div>
      )}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={close}>{t("confirm.back")}</Button>
        <Button look={isDangerous ? "danger" : "primary"} disabled={state.isBusy} onClick={confirm}>
          {verb}
        </Button>
      </div>
    </Dialog>
  );
}
