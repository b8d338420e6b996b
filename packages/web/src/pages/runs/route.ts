import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { readRunSearch } from "./run-search.ts";

export const runsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/runs",
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import("./runs-page.tsx"), "RunsPage"),
});
