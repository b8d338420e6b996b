import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTitle } from "../../app/use-title.ts";
import { client } from "../../data/client.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";

/**
 * The code stands behind the `#` of the address and works once. It is taken out of the address before anything else
 * happens, so that the browser's history does not keep it.
 */
function takeCode(): string | null {
  const code = new URLSearchParams(window.location.hash.slice(1)).get("code");
  if (code !== null) window.history.replaceState(window.history.state, "", window.location.pathname);
  return code;
}

export function SignInPage() {
  const { t } = useWords();
  useTitle(t("signIn.title"));
  const { next } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [token, setToken] = useState("");
  const code = useRef<string | null>(null);

  const enter = useCallback(
    async (by: { code: string } | { token: string }) => {
      setBusy(true);
      setError(null);
      try {
        await client.console.signIn(by);
        queryClient.clear();
        // Only a page of the console: an address from elsewhere is no place to go to.
        await navigate({ href: next?.startsWith("/") && !next.startsWith("//") ? next : "/" });
      } catch (problem) {
        setError(problem);
      } finally {
        setBusy(false);
      }
    },
    [navigate, next],
  );
  useEffect(() => {
    code.current ??= takeCode();
    const found = code.current;
    code.current = "";
    if (found) void enter({ code: found });
  }, [enter]);

  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-5 p-6">
      <div className="flex items-center gap-3">
        <img src="/console/icon.svg" alt="" className="size-8" />
        <h1 className="font-semibold text-xl tracking-tight">{t("signIn.title")}</h1>
      </div>
      {error !== null && <ErrorNote error={error} />}
      {isBusy ? (
        <p role="status" className="text-soft">
          {t("signIn.busy")}
        </p>
      ) : (
        <>
          <p className="text-soft">{t("signIn.text")}</p>
          <pre className="rounded-lg border border-line bg-sunken px-4 py-3 font-mono text-sm">drydock open</pre>
          <form
            className="flex flex-col gap-2 border-line border-t pt-5"
            onSubmit={(event) => {
              event.preventDefault();
              void enter({ token: token.trim() });
            }}
          >
            <label htmlFor="token" className="text-sm text-soft">
              {t("signIn.token")}
            </label>
            <div className="flex gap-2">
              <input
                id="token"
                type="password"
                autoComplete="off"
                minLength={16}
                required
                value={token}
                onChange={({ target }) => setToken(target.value)}
                className="field min-w-0 flex-1 font-mono"
              />
              <Button type="submit" look="primary">
                {t("signIn.verb")}
              </Button>
            </div>
          </form>
        </>
      )}
    </main>
  );
}
