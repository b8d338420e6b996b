import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { client } from "../../data/client.ts";
import { tokensQuery } from "../../data/operations-queries.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { Section } from "../../parts/section.tsx";
import { useWords } from "../../words/words.ts";

const SCOPES = ["read", "run"] as const;

/** Makes a token, and shows it this once. */
export function NewToken() {
  const { t } = useWords();
  const queries = useQueryClient();
  const id = useId();
  const [name, setName] = useState("");
  const [scope, setScope] = useState<(typeof SCOPES)[number]>("read");
  const [made, setMade] = useState<{ name: string; token: string } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const create = async (event: FormEvent) => {
    event.preventDefault();
    setError(null);
    setMade(null);
    try {
      setMade(await client.tokens.create({ name: name.trim(), scope }));
      setName("");
      await queries.invalidateQueries({ queryKey: tokensQuery.queryKey });
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <Section title={t("access.new")}>
      <form onSubmit={create} className="flex flex-wrap items-end gap-3 text-sm">
        <div className="flex flex-col gap-1">
          <label htmlFor={`${id}-name`} className="font-medium">
            {t("access.name")}
          </label>
          <input
            id={`${id}-name`}
            required
            maxLength={100}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
            className="field w-64 max-w-full"
          />
        </div>
        <div className="flex flex-col gap-1">
          <label htmlFor={`${id}-scope`} className="font-medium">
            {t("access.scope")}
          </label>
          <select
            id={`${id}-scope`}
            value={scope}
            onChange={({ target }) => setScope(SCOPES.find((each) => each === target.value) ?? "read")}
            className="field"
          >
            {SCOPES.map((each) => (
              <option key={each} value={each}>
                {t(`access.scope.${each}`)}
              </option>
            ))}
          </select>
        </div>
        <Button type="submit" look="primary" disabled={name.trim() === ""}>
          {t("access.create")}
        </Button>
      </form>
      <p className="mt-2 text-soft text-xs">
        {t("access.admin")} <code className="font-mono">drydock token create --scope admin</code>
      </p>
      <div role="status">
        {made && (
          <div className="mt-3 rounded-lg border border-good bg-good-tint p-4 text-sm">
            <p className="mb-2">{t("access.made", { name: made.name })}</p>
            <code className="font-mono text-xs break-all select-all">{made.token}</code>
          </div>
        )}
      </div>
      {error !== null && (
        <div className="mt-3">
          <ErrorNote error={error} />
        </div>
      )}
    </Section>
  );
}
