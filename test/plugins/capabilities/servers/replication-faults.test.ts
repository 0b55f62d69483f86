import t from "tap"
import {
  findReplicationFaults,
  type ObservedServer,
  type ServerUse,
} from "../../../../plugins/capabilities/servers/replication-faults.ts"
import type {
  Filter,
  GroupState,
  ReplicationChannel,
  ServerState,
} from "../../../../plugins/capabilities/servers/server-state.ts"

const group: GroupState = {
  name: "g",
  view: "1:1",
  primary: "u1",
  state: "ONLINE",
  role: "PRIMARY",
  members: 3,
  hasMajority: true,
  hasPrimary: true,
  isSinglePrimary: true,
  consistency: "BEFORE_ON_PRIMARY_FAILOVER",
}
const source: ReplicationChannel = { name: "", isRunning: true, workers: 4, delay: 0 }
const settings: ServerState["settings"] = {
  preserveCommitOrder: true,
  parallelWorkers: 4,
  binlogOrderCommits: true,
  binlogFormat: "ROW",
  hasBinlog: true,
  skipsErrors: false,
  hasPerformanceSchema: true,
  logsCascades: true,
  isGalera: false,
}

/** A primary without replication. */
const primary: ServerState = {
  uuid: "1",
  version: "9.7.4",
  isReadOnly: false,
  isWritable: true,
  group: undefined,
  sources: [],
  filters: [],
  settings,
  hidden: [],
}
const readOnly = { isReadOnly: true, isWritable: false }
const replica: ServerState = { ...primary, ...readOnly, uuid: "2", sources: [source] }
const first: ServerState = { ...primary, group }
const second: ServerState = {
  ...first,
  ...readOnly,
  uuid: "2",
  group: { ...group, role: "SECONDARY" },
}

const needed = { database: "events", tables: ["guest", "change_state"] }

/** Observes the first state as db1:3306, which is the primary, the next as db2:3306, and so on. */
function find(
  states: readonly ServerState[],
  options: Partial<ServerUse> & { version?: string } = {},
) {
  const { version = "9.7.4", ...use } = options
  const servers: ObservedServer[] = states.map((state, index) => ({
    name: `db${index + 1}:3306`,
    state: { ...state, version },
  }))
  return findReplicationFaults(servers, {
    needed,
    hasSeveral: states.length > 1,
    primary: "db1:3306",
    ...use,
  })
}

const of = (change: Partial<typeof settings>): { settings: typeof settings } => ({
  settings: { ...settings, ...change },
})
const leavesOut = (name: string, rule: string): Partial<ServerState> => ({
  filters: [{ channel: "", name, rule }],
})

t.test("servers that are right have no fault", (t) => {
  const one = { ...replica, ...of({ preserveCommitOrder: false, parallelWorkers: 1 }) }
  const other = { ...source, name: "b" }
  const filters: Filter[] = [{ channel: "b", name: "REPLICATE_DO_DB", rule: "shop" }]
  const ignored = leavesOut("REPLICATE_IGNORE_DB", "events")
  const stopped = { ...source, isRunning: false, workers: 0 }
  const last = of({ hasBinlog: false, binlogOrderCommits: false, binlogFormat: "MIXED" })
  const right: Readonly<Record<string, readonly ServerState[]>> = {
    "a server": [primary],
    "a group": [first, second, { ...second, uuid: "3" }],
    "replicas": [primary, replica, { ...replica, uuid: "3" }],
    "a group with a replica": [first, second, { ...replica, uuid: "3" }],
    "one applier, which needs no setting for the commit order": [
      primary,
      { ...one, sources: [{ ...source, workers: 1 }] },
    ],
    "a replica without a binary log, which has no replicas": [primary, { ...replica, ...last }],
    "a primary with a channel for other databases": [{ ...primary, sources: [other], filters }],
    "a replica with one": [primary, { ...replica, sources: [source, other], filters }],
    "a replica that is being promoted": [{ ...primary, sources: [stopped] }],
    "a member of a group, which ignores filters": [
      first,
      { ...second, ...ignored, sources: [source] },
    ],
  }
  for (const [name, states] of Object.entries(right)) t.strictSame(find(states), [], name)
  const replicas = [{ ...primary, ...readOnly, sources: [source] }, replica]
  t.strictSame(find(replicas, { primary: undefined }), [])
  t.end()
})

t.test("what makes a server wrong is a fault of it, alone and beside others", (t) => {
  const several = /^db1:3306 belongs to a group with several primaries.*switch_to_single_primary/
  const eventual = /^db1:3306 has group_replication_consistency=EVENTUAL.*BEFORE_ON_PRIMARY_FAILOV/
  const rows: readonly [change: Partial<ServerState>, fault: RegExp][] = [
    [{ group: { ...group, isSinglePrimary: false } }, several],
    [{ group: { ...group, consistency: "EVENTUAL" } }, eventual],
    [{ sources: [source] }, /^db1:3306 takes writes although it is a replica.*reset replica all/],
    [of({ isGalera: true }), /^db1:3306 is a node of Galera/],
  ]
  for (const [change, fault] of rows) {
    const state = { ...primary, ...change }
    for (const faults of [find([state]), find([state, { ...replica, group: state.group }])]) {
      t.equal(faults.filter((each) => each.startsWith("db1")).length, 1)
      t.match(faults[0], fault)
    }
  }
  t.end()
})

/** What makes a replica wrong, and what is said of it. */
const ofReplica: readonly [change: Partial<ServerState>, fault: string][] = [
  [of({ preserveCommitOrder: false }), "has replica_preserve_commit_order=OFF with 4 appliers"],
  // Appliers that still run as before.
  [of({ preserveCommitOrder: false, parallelWorkers: 1 }), "has replica_preserve_commit_order=OFF"],
  [of({ skipsErrors: true }), "continues after changes that it cannot apply"],
  [leavesOut("REPLICATE_IGNORE_DB", "events"), "has a replication filter that leaves out the data"],
  [
    leavesOut("REPLICATE_IGNORE_TABLE", "events.change_state"),
    "has a replication filter that leaves out change_state: ",
  ],
  [of({ hasPerformanceSchema: false }), "has performance_schema=OFF, so nobody can see"],
  [
    { sources: [source, { ...source, name: "b" }] },
    "gets this database from several sources (its replication, channel b)",
  ],
  [
    { hidden: ["replication_group_members"] },
    "does not let the user select from performance_schema.replication_group_members: ",
  ],
  [{ isReadOnly: false, isWritable: true }, "takes writes although it is a replica"],
  [{ sources: [] }, "does not replicate from db1:3306"],
]

/** What makes a primary wrong that has replicas. */
const ofPrimary: typeof ofReplica = [
  [of({ preserveCommitOrder: false }), "has replica_preserve_commit_order=OFF"],
  [of({ binlogOrderCommits: false }), "has binlog_order_commits=OFF"],
  [of({ binlogFormat: "MIXED" }), "has binlog_format=MIXED"],
]

t.test("what makes a replica or its primary wrong is a fault beside others only", (t) => {
  const rows: readonly [states: readonly ServerState[], fault: string][] = [
    ...ofReplica.map(([change, fault]) =>
      [[primary, { ...replica, ...change }], `db2:3306 ${fault}`] as const
    ),
    ...ofPrimary.map(([change, fault]) =>
      [[{ ...primary, ...change }, replica], `db1:3306 ${fault}`] as const
    ),
    [
      [first, { ...second, group: { ...group, name: "h" } }],
      "db2:3306 does not replicate from db1:3306, nor belong to its group",
    ],
    [[primary, { ...replica, uuid: primary.uuid }], "db1:3306 and db2:3306 are the same server"],
  ].map(([states, fault]) => [states, fault] as [ServerState[], string])
  for (const [states, fault] of rows) {
    const faults = find(states)
    t.equal(faults.length, 1, faults.join("\n"))
    t.equal(faults[0]?.slice(0, fault.length), fault)
    t.strictSame(find(states.slice(0, 1)), [])
  }
  t.end()
})

t.test("other databases are refused by their version", (t) => {
  t.match(find([primary], { version: "8.0.11-TiDB-v8.5.0" }), [
    /is of the version 8.0.11-TiDB-v8.5.0, which has no triggers/,
  ])
  t.match(find([primary], { version: "8.0.30-Vitess" }), [/has no triggers/])
  const mariaDb = {
    ...primary,
    uuid: "",
    ...of({ preserveCommitOrder: false, binlogFormat: "ROW" }),
  }
  t.strictSame(find([mariaDb], { version: "11.4.2-MariaDB" }), [])
  t.match(find([mariaDb], { version: "11.4.2-MariaDB", hasSeveral: true }), [
    /^db1:3306 is MariaDB/,
  ])
  t.end()
})
