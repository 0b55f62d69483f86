import type { Capability } from "../../../core/capability.ts"
import { access } from "./access.ts"
import { Failovers } from "./failovers.ts"
import { NodeRequests } from "./node-metrics.ts"
import { findReplicationWarnings } from "./replication-warnings.ts"
import { ServersDatabase } from "./servers-database.ts"

/** Several MySQL servers as one database. */
const servers: Capability = {
  name: "servers",
  summary:
    "Reads from several MySQL servers, and continues when another server becomes the primary",
  database: access,
  warn: ({ database, plan }) => findReplicationWarnings(database, plan),
  open({ database, nodes, log, recordChange, keep, closing }) {
    if (!(database instanceof ServersDatabase)) return {}
    const failovers = new Failovers(database.servers, { log, recordChange })
    // Another configuration may have taken over by then.
    closing.addEventListener("abort", failovers.stop)
    const requests = keep("requests", () => new NodeRequests())
    return {
      observe: (exchange) => requests.record(exchange),
      metrics: () => requests.metrics(nodes.status ?? [], failovers.count),
    }
  },
}

export default servers
