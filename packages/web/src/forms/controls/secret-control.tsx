import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { useWords } from "../../words/words.ts";
import { type ControlProps, describe } from "./control-props.ts";

/** The name of a stored secret. Its value goes in once, and is never shown. */
export function SecretControl(props: ControlProps) {
  const { field, value, isDisabled, ports, onChange } = props;
  const { t } = useWords();
  const [isAsking, setAsking] = useState(false);
  const name = typeof value === "string" ? value : "";
  const isKnown = name === "" || field.options.some((option) => option.value === name);
  return (
    <div className="flex flex-wrap gap-1.5">
      <select
        {...describe(props)}
        value={name}
        onChange={({ target }) => onChange(target.value)}
        className="field min-w-40 flex-1 sm:max-w-80"
      >
        <option value="">{t("forms.noSecret")}</option>
        {!isKnown && <option value={name}>{t("forms.secretGone")}</option>}
        {field.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {ports.storeSecret && (
        <Button disabled={isDisabled} onClick={() => setAsking(true)}>
          {t("forms.storeSecret")}
        </Button>
      )}
      <StoreSecret ports={ports} isOpen={isAsking} onClose={() => setAsking(false)} onStored={onChange} />
    </div>
  );
}

interface StoreProps extends Pick<ControlProps, "ports"> {
  isOpen: boolean;
  onClose(): void;
  onStored(name: string): void;
}

export function StoreSecret({ ports, isOpen, onClose, onStored }: StoreProps) {
  const { t } = useWords();
  const [name, setName] = useState("");
  const [secret, setSecret] = useState("");
  const close = () => {
    setSecret("");
    onClose();
  };
  const store = async () => {
    await ports.storeSecret?.(name.trim(), secret);
    onStored(name.trim());
  };
  return (
    <Confirm title={t("forms.storeSecret")} verb={t("forms.store")} isOpen={isOpen} onClose={close} act={store}>
      <p>{t("forms.storeSecretText")}</p>
      <label className="flex flex-col gap-1 text-ink">
        {t("forms.secretName")}
        <input
          autoComplete="off"
          spellCheck={false}
          placeholder="SERVICE_TOKEN"
          value={name}
          onChange={({ target }) => setName(target.value)}
          className="field font-mono text-xs"
        />
      </label>
      <label className="flex flex-col gap-1 text-ink">
        {t("forms.secretValue")}
        <input
          type="password"
          autoComplete="new-password"
          value={secret}
          onChange={({ target }) => setSecret(target.value)}
          className="field"
        />
      </label>
    </Confirm>
  );
}
