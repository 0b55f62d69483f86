import t from "tap"
import {
  findReplicationFaults,
  type ObservedServer,
  type ServerUse,
} from "../../../../plugins/capabilities/servers/replication-faults.ts"
import type {
  Filter,
  GroupState,
  ServerState,
  Source,
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
const source: Source = { name: "", isRunning: true, workers: 4, delay: 0 }
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
const filtered = (name: string, rule: string, channel: string | null = ""): ServerState => ({
  ...replica,
  filters: [{ channel, name, rule }],
})

t.test("servers that are right have no fault", (t) => {
  t.strictSame(find([primary]), [])
  t.strictSame(find([first, second, { ...second, uuid: "3" }]), [])
  t.strictSame(find([primary, replica, { ...replica, uuid: "3" }]), [])
  t.strictSame(find([first, second, { ...replica, uuid: "3" }]), [], "a group with a replica")
  t.strictSame(
    find([{ ...primary, ...readOnly, sources: [source] }, replica], { primary: undefined }),
    [],
  )
  t.end()
})

/** What makes a server wrong, also if it is the only one. */
const anywhere: Readonly<Record<string, [state: ServerState, fault: RegExp]>> = {
  "a group with several primaries": [
    { ...primary, group: { ...group, isSinglePrimary: false } },
    /^db1:3306 belongs to a group with several primaries.*switch_to_single_primary_mode/,
  ],
  "a group with eventual consistency": [
    { ...primary, group: { ...group, consistency: "EVENTUAL" } },
    /^db1:3306 has group_replication_consistency=EVENTUAL.*BEFORE_ON_PRIMARY_FAILOVER/,
  ],
  "a replica that takes writes": [
    { ...primary, sources: [source] },
    /^db1:3306 takes writes although it is a replica \(its replication runs\).*reset replica all/,
  ],
  "a node of Galera": [{ ...primary, ...of({ isGalera: true }) }, /^db1:3306 is a node of Galera/],
}
for (const [name, [state, fault]] of Object.entries(anywhere)) {
  t.test(`${name} is a fault, alone and beside others`, (t) => {
    for (const faults of [find([state]), find([state, { ...replica, group: state.group }])]) {
      t.equal(faults.filter((each) => each.startsWith("db1")).length, 1)
      t.match(faults[0], fault)
    }
    t.end()
  })
}

/** What makes a server wrong only if there are others. */
const withOthers: Readonly<Record<string, [states: ServerState[], fault: RegExp]>> = {
  "parallel appliers without commit order": [
    [primary, { ...replica, ...of({ preserveCommitOrder: false }) }],
    /^db2:3306 has replica_preserve_commit_order=OFF with 4 appliers/,
  ],
  "parallel appliers that still run as one is set": [
    [primary, { ...replica, ...of({ preserveCommitOrder: false, parallelWorkers: 1 }) }],
    /^db2:3306 has replica_preserve_commit_order=OFF with 4 appliers/,
  ],
  "a primary that would apply without commit order": [
    [{ ...primary, ...of({ preserveCommitOrder: false }) }, replica],
    /^db1:3306 has replica_preserve_commit_order=OFF/,
  ],
  "commits in another order than in the binary log": [
    [{ ...primary, ...of({ binlogOrderCommits: false }) }, replica],
    /^db1:3306 has binlog_order_commits=OFF/,
  ],
  "a binary log of statements": [
    [{ ...primary, ...of({ binlogFormat: "MIXED" }) }, replica],
    /^db1:3306 has binlog_format=MIXED/,
  ],
  "skipped errors": [
    [primary, { ...replica, ...of({ skipsErrors: true }) }],
    /^db2:3306 goes on after changes that it cannot apply/,
  ],
  "a filter": [
    [primary, filtered("REPLICATE_IGNORE_DB", "events")],
    /^db2:3306 has a replication filter that leaves out the database events: /,
  ],
  "a filter of a table": [
    [primary, filtered("REPLICATE_IGNORE_TABLE", "events.change_state")],
    /^db2:3306 has a replication filter that leaves out change_state: /,
  ],
  "filters that cannot be seen": [
    [primary, { ...replica, ...of({ hasPerformanceSchema: false }) }],
    /^db2:3306 has performance_schema=OFF, so nobody can see/,
  ],
  "several sources": [
    [primary, { ...replica, sources: [source, { ...source, name: "b" }] }],
    /^db2:3306 gets this database from several sources \(its replication, channel b\)/,
  ],
  "hidden tables": [
    [primary, { ...replica, hidden: ["replication_group_members"] }],
    /^db2:3306 does not let the user select from performance_schema\.replication_group_members: .*event-export grants/,
  ],
  "another server that takes writes": [
    [primary, { ...replica, isReadOnly: false, isWritable: true }],
    /^db2:3306 takes writes although it is a replica.*super_read_only = ON on it$/,
  ],
  "a server that replicates from nobody": [
    [primary, { ...replica, sources: [] }],
    /^db2:3306 does not replicate from db1:3306/,
  ],
  "a member of another group": [
    [first, { ...second, group: { ...group, name: "h" } }],
    /^db2:3306 does not replicate from db1:3306, nor belong to its group/,
  ],
  "one server by two names": [
    [primary, { ...replica, uuid: primary.uuid }],
    /^db1:3306 and db2:3306 are the same server/,
  ],
}
for (const [name, [states, fault]] of Object.entries(withOthers)) {
  t.test(`${name}: a fault beside others only`, (t) => {
    const faults = find(states)
    t.equal(faults.length, 1, faults.join("\n"))
    t.match(faults[0], fault)
    if (states[0] !== undefined) t.strictSame(find([states[0]]), [])
    t.end()
  })
}

t.test("one applier needs no setting for the commit order", (t) => {
  const one = { ...replica, ...of({ preserveCommitOrder: false, parallelWorkers: 1 }) }
  t.strictSame(find([primary, { ...one, sources: [{ ...source, workers: 1 }] }]), [])
  t.end()
})

t.test("a server without a binary log has no replicas, and its settings do not matter", (t) => {
  const last = {
    ...replica,
    ...of({ hasBinlog: false, binlogOrderCommits: false, binlogFormat: "MIXED" }),
  }
  t.strictSame(find([primary, last]), [])
  t.end()
})

t.test("a channel for other databases is no replication of this one", (t) => {
  const other = { ...source, name: "b" }
  const filters: Filter[] = [{ channel: "b", name: "REPLICATE_DO_DB", rule: "shop" }]
  t.strictSame(find([{ ...primary, sources: [other], filters }]), [], "on a writable server")
  t.strictSame(
    find([primary, { ...replica, sources: [source, other], filters }]),
    [],
    "on a replica",
  )
  t.end()
})

t.test("a replica that takes writes while its replication is stopped is being promoted", (t) => {
  t.strictSame(find([{ ...primary, sources: [{ ...source, isRunning: false, workers: 0 }] }]), [])
  t.end()
})

t.test("members of a group ignore filters for every channel", (t) => {
  const filters: Filter[] = [{ channel: null, name: "REPLICATE_IGNORE_DB", rule: "events" }]
  t.strictSame(find([first, { ...second, filters }]), [])
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
