import type { Activity } from "../access/activity.ts"
import type { Admissions } from "../access/admission.ts"
import type { Sessions } from "../access/sessions.ts"
import type { Networks } from "../networks.ts"
import type { Handlers } from "./handlers.ts"
import type { Limits } from "./limits.ts"
import type { ListLayer } from "./list-layer.ts"
import type { Lists } from "./listing/answer-list.ts"
import type { Nodes } from "./nodes.ts"
import type { RouteTable } from "./route-table.ts"

/** What answers requests. */
export interface Components {
  readonly routes: RouteTable
  readonly sessions: Sessions
  readonly admissions: Admissions
  readonly limits: Limits
  /** Loopback and the proxies in front: their health checks are answered without a limit. */
  readonly near: Networks
  readonly activity: Activity
  /** Throws a 503 while requests for records have to be recorded, and cannot; undefined if they need not be. */
  readonly assertRecording: (() => void) | undefined
  readonly nodes: Nodes
  readonly lists: Lists
  /** The layers around the answers of lists, outermost first. */
  readonly layers: readonly ListLayer[]
  readonly handlers: Handlers
}
