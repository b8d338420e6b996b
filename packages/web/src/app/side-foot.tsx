import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { client } from "../data/client.ts";
import { healthQuery, signInQuery } from "../data/queries.ts";
import { queryClient } from "../data/query-client.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { isLanguage, LANGUAGES } from "../words/languages.ts";
import { chooseAndKeep, useWords } from "../words/words.ts";
import { setTheme, THEMES, useTheme } from "./preferences.ts";

const ROW = "flex h-8 items-center gap-2 rounded-md px-2.5 text-sm text-soft hover:bg-sunken hover:text-ink";

/** Language, theme, version, and the way out. */
export function SideFoot() {
  const { t, language } = useWords();
  const theme = useTheme();
  const { data: health } = useQuery(healthQuery);
  const { data: signIn } = useQuery(signInQuery);
  const navigate = useNavigate();
  const signOut = async () => {
    await client.console.signOut();
    queryClient.clear();
    await navigate({ to: "/sign-in" });
  };
  return (
    <div className="mt-auto flex flex-col gap-0.5 pt-4">
      <Choice icon="globe" label={t("foot.language")}>
        <select
          value={language}
          aria-label={t("foot.language")}
          onChange={({ target }) => isLanguage(target.value) && void chooseAndKeep(target.value)}
          className="w-full bg-transparent outline-offset-4 [&>option]:bg-panel [&>option]:text-ink"
        >
          {Object.entries(LANGUAGES).map(([each, name]) => (
            <option key={each} value={each} lang={each}>
              {name}
            </option>
          ))}
        </select>
      </Choice>
      <Choice icon="sun" label={t("foot.theme")}>
        <select
          value={theme}
          aria-label={t("foot.theme")}
          onChange={({ target }) => setTheme(THEMES.find((each) => each === target.value) ?? "system")}
          className="w-full bg-transparent outline-offset-4 [&>option]:bg-panel [&>option]:text-ink"
        >
          {THEMES.map((each) => (
            <option key={each} value={each}>
              {t(`theme.${each}`)}
            </option>
          ))}
        </select>
      </Choice>
      {signIn?.required && signIn.scope !== null && (
        <button type="button" onClick={signOut} className={ROW}>
          <Icon name="leave" />
          {t("foot.signOut")}
        </button>
      )}
      <p className="px-2.5 pt-1 text-2xs text-faint">
        {health && `Drydock ${health.version}`}
        {signIn?.scope && ` · ${t(`scope.${signIn.scope}`)}`}
      </p>
    </div>
  );
}

function Choice({ icon, label, children }: { icon: IconName; label: string; children: ReactNode }) {
  return (
    <div className={ROW} title={label}>
      <Icon name={icon} />
      {children}
    </div>
  );
}
