import { performance } from "node:perf_hooks"
import t, { type Test } from "tap"
import type { Admission } from "../../../../core/access/admission.ts"
import type { ChangeLog } from "../../../../core/change-log/change-log.ts"
import { assertReached, ServerBehind } from "../../../../core/change-log/heartbeat.ts"
import type { Database } from "../../../../core/data/database.ts"
import { StatementTimeout, Unavailable } from "../../../../core/data/unavailable.ts"
import type { ReadPreference } from "../../../../core/request/nodes.ts"
import {
  canAnotherTry,
  type ServerNode,
  ServerNodes,
} from "../../../../plugins/capabilities/servers/nodes.ts"

/** Makes nodes that nobody reads, at the second 1000 of the primary's clock. The first one is the first of `own`. */
function nodesOf(
  own: Readonly<Record<string, Partial<ServerNode>>>,
  staleness: number | undefined = 2,
): ServerNodes {
  const [first, ...others] = Object.entries(own).map(([name, partial]): ServerNode => ({
    name,
    database: {} as Database,
    changes: changesAt(1000),
    isPrimary: false,
    isReachable: true,
    isStranded: false,
    member: null,
    problem: null,
    confirm: () => Promise.resolve(false),
    canAnotherTry(error) {
      return canAnotherTry(error, this)
    },
    ...partial,
  }))
  return new ServerNodes([first as ServerNode, ...others], { staleness, patience: 2000, pause: 1 })
}

/** What a process has read last on a server whose heartbeat is of this second. */
function changesAt(beat: number | undefined): ChangeLog {
  return { heartbeatTime: beat, clock: { time: 1000, at: performance.now() } } as ChangeLog
}

/** Lets the test move the clock of the process. Returns what sets it, in seconds. */
function tellClock(t: Test) {
  const began = Math.floor(performance.now())
  let seconds = 0
  t.intercept(performance, "now", { value: () => began + seconds * 1000 })
  return (value: number) => seconds = value
}

t.test("a process is cut off while a replica in use gets heartbeats, however late", async (t) => {
  const setClock = tellClock(t)
  const seen = changesAt(1000) as { heartbeatTime: number } & ChangeLog
  const nodes = nodesOf({ primary: { isReachable: false }, b: { changes: seen } }, 10)
  const cutOff: number[] = []
  for (let second = 1; second <= 60; second++) {
    setClock(second)
    // It shows a heartbeat every eight seconds, and none after half a minute.
    if (second % 8 === 0 && second <= 32) seen.heartbeatTime = 1000 + second
    if (nodes.isCutOff) cutOff.push(second)
  }
  t.strictSame(cutOff, Array.from({ length: 29 }, (_, index) => 14 + index))
})

t.test("read begins again at another node if one is away, and not if it is too slow", async (t) => {
  const nodes = nodesOf({ a: {}, b: { isPrimary: true }, c: {} })
  const asked: string[] = []
  let retries = 0
  const read = async (preference: ReadPreference, error: Error, until = 99) => {
    const work = async ({ name }: ServerNode) => {
      asked.push(name)
      if (asked.length < until) throw error
    }
    const reading = nodes.read({ onRetry: () => retries++, ...preference }, work)
    const failed = await reading.then(() => undefined, ({ message }) => message)
    return { failed, asked: asked.splice(0) }
  }
  const away = new Unavailable("away")
  t.match(await read({}, away, 2), { failed: undefined, asked: ["a", "b"] }, "the primary is next")
  t.equal(retries, 1)
  t.match(await read({}, new ServerBehind("behind"), 3), {
    ...{ failed: undefined, asked: ["c", "b", "a"] },
  }, "replicas take turns")
  t.match(await read({}, new StatementTimeout("slow")), { failed: "slow", asked: ["a"] })
  t.match(await read({}, new TypeError("a bug")), { failed: "a bug", asked: ["c"] })
  const { asked: once, failed } = await read({ isPatient: false }, away)
  t.match([once.length, failed], [3, "away"])
  t.match(await read({ primary: "only" }, away, 3), { asked: ["b", "b", "b"] }, "it waits for it")
  t.match(await read({ primary: "first" }, away, 3), { asked: ["b", "c", "a"] })
  t.match(await read({ isAnyAge: true }, away, 2), { asked: ["b", "b"] })
  const [a] = nodes.all
  t.match(await read({ preferred: a as ServerNode }, away, 2), { asked: ["a", /./] })
  const gone = { signal: AbortSignal.abort() }
  t.equal((await read(gone, away)).asked.length, 3, "not for a client that has gone")
})

t.test("a copy may lack what another one has, and the primary may not", async (t) => {
  const replica = { isReachable: true, isPrimary: false }
  const primary = { ...replica, isPrimary: true }
  for (const code of ["ER_NO_SUCH_TABLE", "ER_BAD_FIELD_ERROR", "ER_TABLEACCESS_DENIED_ERROR"]) {
    t.strictSame([replica, primary].map((node) => canAnotherTry({ code }, node)), [true, false])
  }
  t.equal(canAnotherTry({ code: "ER_PARSE_ERROR" }, replica), false)
  t.equal(canAnotherTry(undefined, replica), false)
  t.equal(canAnotherTry(new StatementTimeout("slow"), { ...replica, isReachable: false }), true)
})

/** By what it is like: its heartbeat, whether polls are read from it, and what is said of it. */
const uses: Readonly<
  Record<string, [beat: number | undefined, isInUse: boolean, status: object, own?: object]>
> = {
  "a replica with a young heartbeat": [1000, true, { role: "replica", behind: 0, stale: false }],
  "one at the limit": [998, true, { behind: 2, stale: false }],
  "one that is too far behind": [997, false, { behind: 3, stale: true }],
  "one without a heartbeat": [undefined, false, { behind: null, stale: true }],
  "one that is away": [
    1000,
    false,
    { role: "away", behind: null, stale: false, problem: "x" },
    { isReachable: false, problem: "x" },
  ],
}
for (const [what, [beat, isInUse, status, own]] of Object.entries(uses)) {
  t.test(`polls are ${isInUse ? "" : "not "}read from ${what}`, async (t) => {
    tellClock(t)
    const node = { changes: changesAt(beat), ...own }
    const nodes = nodesOf({ primary: { isPrimary: true, changes: changesAt(1000) }, a: node })
    t.equal(nodes.isInUse(nodes.all[1] as ServerNode), isInUse)
    t.equal(nodes.delay, isInUse ? 1001 - (beat ?? NaN) : 0)
    t.match(nodes.status[1], { name: "a", ...status })
    t.equal(nodes.next()?.name, isInUse ? "a" : "primary")
    t.equal(nodesOf({ a: node }).next()?.name, isInUse ? "a" : undefined)
  })
}

t.test("without staleness, only the primary is read from", async (t) => {
  const [first, ...others] = nodesOf({ a: { isPrimary: true }, b: {} }).all
  const nodes = new ServerNodes([first as ServerNode, ...others], { staleness: undefined })
  t.notOk(nodes.isInUse(nodes.all[1] as ServerNode))
  t.equal(nodes.delay, 0)
  for (let turn = 0; turn < 3; turn++) t.equal(nodes.next()?.name, "a")
})

t.test("the best node is the primary, or the one that answers and is the least behind", async (t) => {
  const own = {
    a: { changes: changesAt(990) },
    b: { changes: changesAt(999), isReachable: false },
    c: { changes: changesAt(995) },
  }
  t.equal(nodesOf(own).best.name, "c")
  t.equal(nodesOf({ ...own, d: { isPrimary: true, changes: changesAt(900) } }).best.name, "d")
  t.equal(nodesOf({ b: own.b }).best.name, "b", "of none that answers, the first")
})

t.test("a node is in use while its heartbeat is young enough by the primary's clock", async (t) => {
  tellClock(t)
  const nodes = nodesOf({ a: {}, b: { isPrimary: true } })
  const fits = async (
    at: number,
    floor: number | null,
    own: Partial<ServerNode> = {},
    preference: Pick<ReadPreference, "primary" | "isAnyAge"> = { primary: "spared" },
  ) => {
    const isReadOnly = own.name === "read-only"
    const heartbeat = { at, floor, watermark: at - 2, steps: [], isReadOnly }
    const node = { ...nodes.all[0] as ServerNode, ...own }
    try {
      await nodes.assertFit({ heartbeat } as unknown as Admission, { node, preference })
      return true
    } catch (error) {
      t.type(error, ServerBehind)
      return false
    }
  }
  t.equal(await fits(998, 900), true)
  t.equal(await fits(997, 900), false, "too old")
  t.equal(await fits(999, null), false, "no floor yet")
  t.equal(await fits(999, 997), true)
  t.equal(await fits(999, 998), false, "the floor of a service with another staleness")
  t.equal(await fits(998, 900, { isStranded: true }), true, "nothing newer is known")
  t.equal(await fits(990, 900, { isStranded: true }), false)
  const isPrimary = true
  const confirm = () => Promise.resolve(true)
  const only = { primary: "only" } as const
  t.equal(await fits(999, null, { isPrimary }), true)
  t.equal(await fits(990, null, { isPrimary }), false, "another one may be")
  t.equal(await fits(990, null, { isPrimary, confirm }), true, "no other one is")
  t.equal(await fits(990, null, { isPrimary, confirm, name: "read-only" }), false)
  t.equal(await fits(990, 900, { confirm }), false, "it is none")
  t.equal(await fits(999, 900, { isPrimary }, only), true)
  t.equal(await fits(993, 900, { isPrimary }, only), false, "another one may be primary")
  t.equal(await fits(993, 900, { isPrimary, confirm }, only), true)
  t.equal(await fits(999, 900, { name: "read-only" }, only), false)
  t.equal(await fits(1, null, {}, { isAnyAge: true }), true, "operators see what is wrong")
})

t.test("a walk goes on where everything before its Next-Since is, or at the primary after a step", async (t) => {
  const heartbeat = { at: 100, watermark: 98, floor: 90, steps: [], isReadOnly: false }
  const behind = { message: /^This server knows/ }
  t.doesNotThrow(() => assertReached(heartbeat, 98, false))
  t.throws(() => assertReached(heartbeat, 99, false), behind)
  t.throws(() => assertReached(heartbeat, 99, true), behind)
  const stepped = { ...heartbeat, steps: [{ reached: 200, backTo: 95 }] }
  t.throws(() => assertReached(stepped, 150, false), behind)
  t.doesNotThrow(() => assertReached(stepped, 150, true))
})
