import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { router } from "./app/router.ts";
import { SIGN_IN_KEY } from "./data/queries.ts";
import { queryClient, whenSignedOut } from "./data/query-client.ts";
import { preferredLanguage, speak } from "./words/words.ts";

whenSignedOut(() => {
  const { pathname, href } = router.state.location;
  if (pathname === "/sign-in") return;
  void queryClient.invalidateQueries({ queryKey: SIGN_IN_KEY });
  void router.navigate({ to: "/sign-in", search: { next: href } });
});

const root = document.getElementById("root");
if (!root) throw new TypeError("The page has no element for the console.");
await speak(preferredLanguage());
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
