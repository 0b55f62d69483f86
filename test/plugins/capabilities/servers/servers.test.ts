import { performance } from "node:perf_hooks"
import t, { type Test } from "tap"
import type { Server } from "../../../../plugins/capabilities/servers/server.ts"
import type {
  GroupState,
  ServerState,
} from "../../../../plugins/capabilities/servers/server-state.ts"
import { Servers } from "../../../../plugins/capabilities/servers/servers.ts"
import { readTargets } from "../../../../plugins/databases/mysql/parts.ts"

type Shown = Pick<ServerState, "isReadOnly" | "isWritable"> & {
  readonly uuid?: string
  readonly group?: Partial<GroupState>
  readonly sources?: ServerState["sources"]
}

const writable: Shown = { isReadOnly: false, isWritable: true }
const readOnly: Shown = { isReadOnly: true, isWritable: false }

/**
 * Opens the servers db1, db2 and so on, which show at each look what a test says: undefined if they do not answer, and
 * "as before" if they answer and do not say what they are like.
 */
function openServers(t: Test, count: number, replicas: readonly string[] = []) {
  const names = Array.from({ length: count }, (_, index) => `db${index + 1}`)
  const servers = new Servers(readTargets(`mysql://app:pw@${names}/events`, replicas))
  t.teardown(() => servers.close())
  const shown: (Shown | "as before" | undefined)[] = []
  for (const [index, server] of servers.all.entries()) {
    let state: ServerState | undefined
    let seenAt = -Infinity
    const look = async () => {
      const now = shown[index]
      if (now === "as before") return
      const known = { uuid: `u${index + 1}`, sources: [], filters: [] }
      if (now) seenAt = performance.now()
      state = now && { ...known, ...now } as unknown as ServerState
    }
    Object.defineProperties(server, {
      look: { value: look },
      state: { get: () => state },
      seenAt: { get: () => seenAt },
    })
  }
  /** Lets servers show something. Returns the number of the primary, or why there is none. */
  const show = async (...states: typeof shown) => {
    shown.splice(0, shown.length, ...states)
    await servers.refresh()
    const { primary } = servers
    return primary ? servers.all.indexOf(primary) + 1 : servers.describeLack()
  }
  return { servers, show, at: (number: number) => servers.all[number - 1] as Server }
}

t.test("the primary is the server that takes writes, and stays it while another one does, too", async (t) => {
  const { servers, show } = openServers(t, 2)
  const changes: (string | undefined)[][] = []
  const stop = servers.onPrimary((to, from) => changes.push([to?.name, from?.name]))
  t.match(await show(writable, writable), /^db1:3306 and db2:3306 both take writes/)
  t.match(
    await show({ ...writable, uuid: "u" }, { ...writable, uuid: "u" }),
    /are the same server: name it once/,
  )
  t.equal(await show(readOnly, writable), 2)
  t.equal(await show(writable, writable), 2)
  t.match(await show(readOnly, readOnly), "db1:3306 is read-only; db2:3306 is read-only.")
  t.match(await show(readOnly, undefined), /db2:3306 does not answer/)
  t.equal(await show(writable, undefined), 1)
  t.strictSame(changes, [
    ["db2:3306", undefined],
    [undefined, "db2:3306"],
    ["db1:3306", undefined],
  ])
  stop()
  await show(readOnly, writable)
  t.equal(changes.length, 3)
})

t.test("a replica that is named as one, and one that replicates, never become the primary", async (t) => {
  const { servers, show } = openServers(t, 1, ["db2"])
  t.strictSame(servers.all.map(({ mayBePrimary }) => mayBePrimary), [true, false])
  t.match(await show(readOnly, writable), /^No server .* now: db1:3306 is read-only\.$/)
  const replicating = {
    ...writable,
    sources: [{ name: "", isRunning: true, workers: 4, delay: 0 }],
  }
  t.match(await show(replicating, readOnly), /db1:3306 is not read-only, but replicates/)
  const stopped = [{ name: "", isRunning: false, workers: 0, delay: 0 }]
  t.equal(await show({ ...writable, sources: stopped }, readOnly), 1)
})

t.test("a primary is confirmed if all others that may be it are read-only now", async (t) => {
  const { servers, show, at } = openServers(t, 2, ["db3"])
  await show(writable, readOnly, writable)
  t.equal(await servers.confirm(at(1)), true, "db3 may not be it")
  t.equal(await servers.confirm(at(2)), false, "it is read-only")
  await show(writable, undefined)
  t.equal(await servers.confirm(at(1)), false, "the other one may be it by now")
  await show(writable, writable)
  t.equal(await servers.confirm(at(1)), false)
  await show(undefined, readOnly)
  t.equal(await servers.confirm(at(1)), false, "it does not answer")
  await show(writable, readOnly)
  await show(writable, "as before")
  t.equal(await servers.confirm(at(1)), false, "what the other one has said may be out of date")
  await show("as before", readOnly)
  t.equal(await servers.confirm(at(1)), false, "or what it has said itself")
})

const group: Partial<GroupState> = {
  ...{ name: "g", state: "ONLINE", view: "1:5", primary: "u1", members: 3 },
  ...{ hasMajority: true, hasPrimary: true, isSinglePrimary: true },
}
const first: Shown = { ...writable, group }
const member: Shown = { ...readOnly, group }

t.test("the primary of a group is confirmed by more than half of its members", async (t) => {
  const { servers, show, at } = openServers(t, 3)
  t.equal(await show(first, member, undefined), 1)
  t.equal(await servers.confirm(at(1)), true)
  t.equal(await servers.confirm(at(2)), false)
  await show(first, undefined, undefined)
  t.equal(await servers.confirm(at(1)), false, "alone")
  const others: Readonly<Record<string, Partial<GroupState>>> = {
    "another view": { view: "1:6" },
    "another primary": { primary: "u3" },
    "no primary": { hasPrimary: false },
    "a member that is not online": { state: "RECOVERING" },
  }
  for (const [what, change] of Object.entries(others)) {
    await show(first, { ...member, group: { ...group, ...change } }, undefined)
    t.equal(await servers.confirm(at(1)), false, what)
  }
})

t.test("a primary that was frozen is none once its group has gone on without it", async (t) => {
  const { show } = openServers(t, 3)
  t.equal(await show(first, member, member), 1)
  const next = { ...group, primary: "u2", view: "1:6", members: 2 }
  const [second, third] = [{ ...writable, group: next }, { ...readOnly, group: next }]
  t.equal(await show(first, second, third), 2, "although it takes itself for it")
  t.match(await show(first, undefined, third), /db1:3306 was the primary of its group/)
  for (const view of ["1:4", "1:5"]) {
    const older = { ...readOnly, group: { ...next, view } }
    t.equal(await show(first, undefined, older), 1, "what is no later view does not count")
  }
  const another = { ...readOnly, group: { ...next, view: "2:6" } }
  t.equal(await show(first, undefined, another), 1, "nor another group's")
})

t.test("servers are stranded if more than half of a group say that nothing can be committed", async (t) => {
  const { servers, show, at } = openServers(t, 3)
  const stranded = () => servers.all.map((server) => servers.isStranded(server))
  await show(first, member, member)
  t.strictSame(stranded(), [false, false, false])
  const none = { ...member, group: { ...group, hasPrimary: false } }
  await show(undefined, none, none)
  t.strictSame(stranded(), [false, true, true], "they have no primary")
  await show(undefined, none, undefined)
  t.strictSame(stranded(), [false, false, false], "one of three says so")
  await show({ ...first, ...readOnly }, member, member)
  t.strictSame(stranded(), [true, true, true], "the primary has a backlog")
  const few = { ...none, group: { ...none.group, hasMajority: false } }
  await show(undefined, few, few)
  t.strictSame(stranded(), [false, false, false], "without a majority, others may go on")
  await show(undefined, none, none)
  const { now } = performance
  t.intercept(performance, "now", { value: () => now.call(performance) + 3100 })
  t.equal(servers.isStranded(at(2)), false, "what was said three seconds ago does not count")
})

t.test("why there is no primary names what the operator can do", async (t) => {
  const { show } = openServers(t, 1)
  const says = (change: Partial<GroupState>, own = writable) =>
    show({ ...own, group: { ...group, ...change } })
  t.match(await says({ members: 0 }), /the user may not see \("event-export grants"/)
  t.match(await says({ isSinglePrimary: false }), /switch_to_single_primary_mode/)
  t.match(await says({}, { isReadOnly: false, isWritable: false }), /is not the primary of its/)
})
