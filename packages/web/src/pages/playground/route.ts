import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const playgroundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/playground",
  component: lazyRouteComponent(() => import("./playground-page.tsx"), "PlaygroundPage"),
});

/** A notebook, by the id of its session. */
export const notebookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/playground/$id",
  component: lazyRouteComponent(() => import("./notebook-page.tsx"), "NotebookPage"),
});
