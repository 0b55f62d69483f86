import type { Addition } from "../../service/console/page.ts"
import { showHandbook } from "./show-handbook.ts"

/** The handbook: its first page, and all others by name. */
export const pages: readonly Addition[] = [
  {
    kind: "page",
    method: "GET",
    path: "/handbook",
    entry: { name: "Handbook", order: 90 },
    show: showHandbook,
  },
  { kind: "page", method: "GET", path: "/handbook/:page", show: showHandbook },
]
