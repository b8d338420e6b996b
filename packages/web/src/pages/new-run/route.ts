import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

/** What the form begins with. */
export interface NewRunSearch {
  goal?: string;
  workspace?: string;
  /** Id of a goal's run that has ended, to go on from. */
  follow?: string;
}

export const newRunRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/new",
  validateSearch: ({ goal, workspace, follow }: Record<string, unknown>): NewRunSearch => ({
    ...(typeof goal === "string" && { goal }),
    ...(typeof workspace === "string" && { workspace }),
    ...(typeof follow === "string" && { follow }),
  }),
  component: lazyRouteComponent(() => import("./new-run-page.tsx"), "NewRunPage"),
});
