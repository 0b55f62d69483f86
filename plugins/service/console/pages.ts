import type { Addition } from "./addition.ts"
import { showConfiguration } from "./pages/configuration.ts"
import { showOverview } from "./pages/overview.ts"
import { showSearch } from "./pages/search.ts"

/** The console's own pages about the kernel's data, independent of capabilities. */
export const pages: readonly Addition[] = [
  {
    kind: "page",
    method: "GET",
    path: "",
    entry: { name: "Overview", order: 10 },
    show: showOverview,
  },
  {
    kind: "page",
    method: "GET",
    path: "/configuration",
    entry: { name: "Configuration", order: 30 },
    show: showConfiguration,
  },
  { kind: "page", method: "GET", path: "/search", show: showSearch },
]
