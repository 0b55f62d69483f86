import * as baseline from "./baseline.ts"
import * as heartbeat from "./migrations/0016-heartbeat.ts"
import * as forgottenDeletions from "./migrations/0017-forgotten-deletions.ts"
import * as changedRecords from "./migrations/0018-changed-records.ts"
import * as viewers from "./migrations/0019-viewers.ts"
import * as forgottenByList from "./migrations/0020-forgotten-by-list.ts"
import * as lastingSessions from "./migrations/0021-lasting-sessions.ts"
import * as farTimes from "./migrations/0022-far-times.ts"
import { recordTables } from "./record-tables.ts"
import { serviceTables } from "./service-tables.ts"
import type { Storage } from "./storage.ts"

/** The records, and what the kernel keeps for itself. */
export const kernelStorage: Storage = {
  name: "kernel",
  tables: { ...recordTables, ...serviceTables },
  migrations: {
    "0001-baseline": baseline,
    "0016-heartbeat": heartbeat,
    "0017-forgotten-deletions": forgottenDeletions,
    "0018-changed-records": changedRecords,
    "0019-viewers": viewers,
    "0020-forgotten-by-list": forgottenByList,
    "0021-lasting-sessions": lastingSessions,
    "0022-far-times": farTimes,
  },
  former: [
    "0001-records",
    "0002-change-log",
    "0003-accounts",
    "0004-polling",
    "0005-access",
    "0006-versions",
    "0007-log-in-waits",
    "0008-long-cursors",
    "0009-session-ends",
    "0010-log-in-networks",
    "0011-event-changes",
    "0012-record-versions",
    "0013-operators",
    "0014-sync-health",
    "0015-disclosures",
  ],
}
