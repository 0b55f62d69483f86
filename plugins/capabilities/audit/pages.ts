import type { Addition } from "../../service/console/page.ts"
import { findRequests, sendAudit, showAudit } from "./pages/audit.ts"
import { showReads } from "./pages/event-reads.ts"

/** What the console shows of the audit log. */
export const pages: readonly Addition[] = [
  {
    kind: "page",
    method: "GET",
    path: "/audit",
    entry: { name: "Audit", order: 50 },
    show: showAudit,
  },
  { kind: "page", method: "GET", path: "/audit.csv", show: sendAudit },
  { kind: "finder", order: 30, find: findRequests },
  { kind: "section", place: "event", order: 10, render: showReads },
]
