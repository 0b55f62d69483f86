import type { Model, Step } from "./check.ts"
import type { Design } from "./design.ts"
import {
  beatOf,
  type Change,
  changesOf,
  type ClockStep,
  type Entry,
  type History,
  settledOf,
  stepsOf,
  tableOf,
  topOf,
  versionOf,
} from "./history.ts"
import { afterAnswer, nextQuery, type Partner, type PartnerKind } from "./partner.ts"
import type { Scope } from "./scope.ts"
import { answer, type Memory, type Node } from "./service.ts"

/** Everything that there is: servers, open changes, what the service remembers, and a partner. */
export interface World {
  readonly time: number
  readonly primary: number
  readonly histories: readonly History[]
  /** What the present primary has received and not yet applied. */
  readonly backlog: History
  /** The changes on the primary that are not committed. */
  readonly open: readonly Change[]
  /** The look whose heartbeat is not committed yet. */
  readonly look?: Look | undefined
  readonly memory: Memory
  readonly partner?: Partner | undefined
  /** Cached contents by their keys. */
  readonly cached: Readonly<Record<string, string>>
  /** The changes that a failover has lost. */
  readonly lost: readonly Change[]
  /** The changes that were made before the last failover. */
  readonly before: number
  readonly ids: number
  readonly used: Readonly<Record<Budget, number>>
}

interface Look {
  readonly node: number
  readonly clock: number
  readonly watermark: number
  readonly top: number
  readonly step: ClockStep | undefined
}

type Budget = "ticks" | "changes" | "looks" | "requests" | "failovers" | "crashes" | "folds"

const noon = 10
const names = ["A", "B", "C"]

/** Servers that replicate, a service of some design before them, and a partner of it. */
export class Replication implements Model<World> {
  readonly start: World
  readonly #design: Design
  readonly #scope: Scope

  constructor(design: Design, scope: Scope) {
    this.#design = design
    this.#scope = scope
    const first: Entry[] = [...scope.records].map((record, index) => ({
      kind: "change",
      id: index + 1,
      seq: index + 1,
      record,
      stamp: index + 1,
      gone: false,
    }))
    const ids = first.length + 1
    first.push({ kind: "beat", id: ids, by: 0, clock: noon, watermark: noon, top: ids - 1 })
    const { partner } = scope
    const copy = Object.fromEntries(changesOf(first).map(({ record, id }) => [record, id]))
    this.start = {
      time: noon,
      primary: 0,
      histories: Array.from({ length: scope.nodes }, () => first),
      backlog: [],
      open: [],
      memory: { watermarks: [], steps: [], base: 0 },
      partner: partner && {
        copy: partner.isNew ? {} : copy,
        since: partner.isNew ? -1 : noon,
        tags: {},
      },
      cached: {},
      lost: [],
      before: 0,
      ids,
      used: { ticks: 0, changes: 0, looks: 0, requests: 0, failovers: 0, crashes: 0, folds: 0 },
    }
  }

  *next(world: World): Iterable<Step<World>> {
    const { primary, open, histories, backlog, look } = world
    if (this.#has(world, "ticks")) {
      yield { does: "a second passes", state: this.#spend({ ...world, time: world.time + 1 }, "ticks") }
    }
    yield* this.#changes(world)
    for (const change of open) {
      const left = open.filter((other) => other !== change)
      yield {
        does: `${name(primary)} commits ${tell(change)}`,
        state: commit({ ...world, open: left }, change),
      }
    }
    yield* this.#looks(world)
    if (look) {
      const state = this.#beat(world, look)
      yield { does: `${name(look.node)} commits the heartbeat: ${look.watermark}`, state }
    }
    for (let node = 0; node < histories.length; node++) {
      if (node !== primary) yield* this.#apply(world, node)
    }
    const [next, ...rest] = backlog
    if (next) {
      const state = { ...withHistory(world, primary, [...history(world, primary), next]), backlog: rest }
      yield { does: `${name(primary)} applies ${tell(next)}, which it had received`, state }
    }
    yield* this.#failovers(world)
    yield* this.#crashes(world)
    yield* this.#folds(world)
    yield* this.#requests(world)
    yield* this.#remembers(world)
  }

  problemOf(world: World): string | undefined {
    return this.#wrongVersion(world) ?? this.#lossOf(world)
  }

  #has({ used }: World, what: Budget): boolean {
    return used[what] < (this.#scope.most[what] ?? 0)
  }

  #spend(world: World, what: Budget): World {
    return { ...world, used: { ...world.used, [what]: world.used[what] + 1 } }
  }

  #clockOf({ time }: World, node: number): number {
    return time + (this.#scope.skews?.[node] ?? 0)
  }

  *#changes(world: World): Iterable<Step<World>> {
    if (!this.#has(world, "changes")) return
    const { primary, open, ids } = world
    const table = tableOf(history(world, primary))
    for (const { record, gone = false } of this.#scope.changes) {
      if (open.some((change) => change.record === record)) continue
      if (gone && table.get(record)?.gone !== false) continue
      const change: Change = {
        kind: "change",
        id: ids + 1,
        seq: Math.max(topOf(history(world, primary)), ...open.map(({ seq }) => seq)) + 1,
        record,
        stamp: this.#clockOf(world, primary),
        gone,
      }
      yield {
        does: `a writer on ${name(primary)} begins ${tell(change)}`,
        state: this.#spend({ ...world, ids: ids + 1, open: [...open, change] }, "changes"),
      }
    }
  }

  *#looks(world: World): Iterable<Step<World>> {
    if (!this.#has(world, "looks")) return
    const { primary, look } = world
    if (this.#design.nextSince === "memory, before it is committed") {
      for (let node = 0; node < world.histories.length; node++) {
        const { watermark } = this.#look(world, node)
        const watermarks = world.histories.map((_, each) =>
          each === node ? watermark : world.memory.watermarks[each] ?? 0
        )
        const state = { ...world, memory: { ...world.memory, watermarks } }
        yield { does: `the service looks at ${name(node)}: ${watermark}`, state: this.#spend(state, "looks") }
      }
    }
    if (look) return
    const found = this.#look(world, primary)
    const told = `the service looks at ${name(primary)}: ${found.watermark}`
    if (this.#scope.looksInParts) {
      yield { does: told, state: this.#spend({ ...world, look: found }, "looks") }
    } else {
      const step = found.step ? `, and notes a step from ${found.step.reached} to ${found.step.backTo}` : ""
      yield {
        does: `${told}, and commits it${step}`,
        state: this.#spend(this.#beat(world, found), "looks"),
      }
    }
  }

  #look(world: World, node: number): Look {
    const { open, primary } = world
    const clock = this.#clockOf(world, node)
    const here = history(world, node)
    const uncommitted = node === primary ? open : []
    const watermark = Math.min(clock, ...uncommitted.map(({ stamp }) => stamp))
    const rows = [...changesOf(here), ...uncommitted]
    const known = beatOf(here)
    const added = rows.filter(({ seq }) => seq > known.top).map(({ stamp }) => stamp)
    const earliest = Math.min(clock, ...added)
    const { takeover } = this.#design
    const isTakeover = takeover !== undefined && known.by !== node
    const step = isTakeover
      ? {
        reached: Math.max(known.clock, clock) + takeover,
        backTo: Math.min(earliest, known.clock - takeover),
      }
      : earliest < known.clock
      ? { reached: known.clock, backTo: earliest }
      : undefined
    return { node, clock, watermark, top: Math.max(0, ...rows.map(({ seq }) => seq)), step }
  }

  #beat(world: World, { node, clock, watermark, top, step }: Look): World {
    const state = { ...world, look: undefined }
    if (node !== world.primary) return state
    if (clock <= beatOf(history(world, node)).clock && !step) return state
    const id = world.ids + 1
    const beat: Entry = { kind: "beat", id, by: node, clock, watermark, top, step }
    return commit({ ...state, ids: id }, beat)
  }

  *#apply(world: World, node: number): Iterable<Step<World>> {
    const here = history(world, node)
    const ids = new Set(here.map(({ id }) => id))
    const missing = history(world, world.primary).filter(({ id }) => !ids.has(id))
    const next = this.#design.appliers === "in any order" ? missing : missing.slice(0, 1)
    for (const entry of next) {
      // A number that is taken stops the applier.
      const isTaken = entry.kind === "change" &&
        changesOf(here).some(({ seq }) => seq === entry.seq)
      if (isTaken) continue
      yield {
        does: `${name(node)} applies ${tell(entry)}`,
        state: withHistory(world, node, [...here, entry]),
      }
    }
  }

  *#failovers(world: World): Iterable<Step<World>> {
    if (!this.#has(world, "failovers")) return
    const { primary, histories, ids } = world
    for (let node = 0; node < histories.length; node++) {
      if (node === primary) continue
      const here = history(world, node)
      const known = new Set(here.map(({ id }) => id))
      const missing = history(world, primary).filter(({ id }) => !known.has(id))
      const state = this.#spend(
        { ...world, primary: node, open: [], look: undefined, backlog: [], before: ids },
        "failovers",
      )
      for (const kind of this.#scope.failovers ?? []) {
        if (kind === "of everything") {
          const after = this.#design.newPrimary === "at once"
            ? { ...state, backlog: missing }
            : withHistory(state, node, [...here, ...missing])
          yield { does: `${name(primary)} stops, and ${name(node)} becomes the primary`, state: after }
        } else if (missing.length > 0) {
          const lost = [...world.lost, ...changesOf(missing)]
          const told = missing.map(tell).join(", ")
          const does =
            `${name(primary)} stops, and ${name(node)} becomes the primary without ${told}`
          yield { does, state: { ...state, lost } }
        }
      }
    }
  }

  *#crashes(world: World): Iterable<Step<World>> {
    if (!this.#has(world, "crashes")) return
    for (let node = 0; node < world.histories.length; node++) {
      const here = history(world, node)
      if (node === world.primary || here.length <= (this.start.histories[node]?.length ?? 0)) continue
      yield {
        does: `${name(node)} crashes, and comes back without ${tell(here.at(-1) as Entry)}`,
        state: this.#spend(withHistory(world, node, here.slice(0, -1)), "crashes"),
      }
    }
  }

  *#folds(world: World): Iterable<Step<World>> {
    if (!this.#has(world, "folds")) return
    const here = history(world, world.primary)
    const upTo = settledOf(here)
    if (this.#design.base === "in memory") {
      if (upTo === world.memory.base) return
      const state = { ...world, memory: { ...world.memory, base: upTo } }
      yield { does: `the service remembers ${upTo} as its base`, state: this.#spend(state, "folds") }
      return
    }
    if (here.some((entry) => entry.kind === "fold" && entry.upTo === upTo)) return
    const id = world.ids + 1
    const marks = changesOf(here).filter(({ seq }) => seq <= upTo).map((change) =>
      this.#design.version === "marks" ? change.id : change.seq
    )
    yield {
      does: `${name(world.primary)} folds the log up to ${upTo}`,
      state: this.#spend(commit({ ...world, ids: id }, { kind: "fold", id, upTo, marks }), "folds"),
    }
  }

  *#requests(world: World): Iterable<Step<World>> {
    if (!this.#has(world, "requests")) return
    for (let node = 0; node < world.histories.length; node++) {
      if (this.#scope.caches) {
        const cached = { ...this.#contentsOf(world, node), ...world.cached }
        const state = this.#spend({ ...world, cached }, "requests")
        yield { does: `a page of ${name(node)} is cached`, state }
      }
      const { partner } = this.#scope
      const read = partner && this.#read(world, partner, node)
      if (read) yield { does: read.does, state: this.#spend(read.state, "requests") }
    }
  }

  #nodeOf(world: World, node: number): Node {
    const isPrimary = node === world.primary
    return { number: node, isPrimary, clock: this.#clockOf(world, node), history: history(world, node) }
  }

  #read(world: World, kind: PartnerKind, node: number): Step<World> | undefined {
    const { partner } = world
    if (!partner) return undefined
    const query = nextQuery(partner, kind)
    const got = answer(this.#design, query, this.#nodeOf(world, node), world.memory)
    if (!got) return undefined
    const after = afterAnswer(partner, kind, got)
    const at = "after" in query.place ? "by cursor" : `at ${query.place.offset}`
    const rows = got.isUnchanged
      ? "304"
      : got.rows.map(({ record, stamp }) => `${record}@${stamp}`).join(" ") || "nothing"
    const does = `the partner reads ${query.list} since ${query.since} ${at} on ${name(node)}: ` +
      `${rows}, Next-Since ${got.nextSince}`
    return { does, state: this.#keepWatermark({ ...world, partner: after }, node) }
  }

  #keepWatermark(world: World, node: number): World {
    if (this.#design.nextSince !== "memory, for each node") return world
    const watermarks = world.histories.map((here, each) =>
      Math.max(world.memory.watermarks[each] ?? 0, each === node ? beatOf(here).watermark : 0)
    )
    return { ...world, memory: { ...world.memory, watermarks } }
  }

  *#remembers(world: World): Iterable<Step<World>> {
    if (this.#design.steps !== "memory") return
    const steps = stepsOf(history(world, world.primary))
    if (steps.length === world.memory.steps.length) return
    yield {
      does: "the service reads the steps of the clock",
      state: { ...world, memory: { ...world.memory, steps } },
    }
  }

  /** Returns what a node's snapshot has under the keys that caches use. */
  #contentsOf(world: World, node: number): Record<string, string> {
    const here = history(world, node)
    const version = versionOf(here, this.#design, world.memory.base)
    const rows = [...tableOf(here).values()]
    const all = rows.map(({ record, id, gone }) => `${record}${gone ? " gone" : id}`).toSorted().join(" ")
    return {
      [`the version ${version}`]: all,
      ...Object.fromEntries(rows.map(({ record, id }) => {
        const count = changesOf(here).filter((change) => change.record === record).length
        const key = this.#design.recordVersion === "a counter" ? count : id
        return [`the version ${key} of ${record}`, String(id)]
      })),
    }
  }

  #wrongVersion(world: World): string | undefined {
    if (!this.#scope.caches) return undefined
    for (let node = 0; node < world.histories.length; node++) {
      for (const [key, contents] of Object.entries(this.#contentsOf(world, node))) {
        const cached = world.cached[key]
        if (cached === undefined || cached === contents) continue
        return `${key} is of ${cached} in the cache, and of ${contents} on ${name(node)}`
      }
    }
    return undefined
  }

  /** Lets all writers commit and a while pass, has the partner poll once more, and compares. */
  #lossOf(world: World): string | undefined {
    const { partner: kind } = this.#scope
    if (!kind) return undefined
    let last: World = { ...world, look: undefined, time: world.time + 100 }
    for (const change of world.open) last = commit(last, change)
    for (const entry of world.backlog) last = commit(last, entry)
    last = { ...last, open: [], backlog: [] }
    last = this.#beat(last, this.#look(last, last.primary))
    if (this.#design.steps === "memory") {
      last = { ...last, memory: { ...last.memory, steps: stepsOf(history(last, last.primary)) } }
    }
    const isPolling = world.partner?.poll !== undefined
    for (let polls = isPolling ? 2 : 1; polls > 0;) {
      const read = this.#read(last, kind, last.primary)
      if (!read) return "the primary refuses to go on"
      last = read.state
      if (!last.partner?.poll) polls--
    }
    return this.#differenceOf(last)
  }

  #differenceOf(world: World): string | undefined {
    const copy = world.partner?.copy ?? {}
    const lost = new Set(world.lost.map(({ id }) => id))
    const lostDeletions = new Set(world.lost.filter(({ gone }) => gone).map(({ record }) => record))
    const table = tableOf(history(world, world.primary))
    for (const record of new Set([...table.keys(), ...Object.keys(copy)])) {
      const row = table.get(record)
      const has = copy[record]
      const wanted = row?.gone ? undefined : row?.id
      if (has === wanted) continue
      // What the database itself has lost is none of this: until the record changes again.
      const isOld = !row || row.id <= world.before
      if (isOld && (has === undefined ? lostDeletions.has(record) : lost.has(has))) continue
      const should = row && `${row.gone ? "was deleted" : "was changed"} at ${row.stamp}`
      return `${record} ${should ?? "does not exist"}, and the partner ${
        has === undefined ? "does not have it" : has < (row?.id ?? 0) ? "has an older state" : "has it"
      } after one more poll`
    }
    return undefined
  }
}

function history({ histories }: World, node: number): History {
  return histories[node] ?? []
}

function withHistory(world: World, node: number, history: History): World {
  return { ...world, histories: world.histories.with(node, history) }
}

function commit(world: World, entry: Entry): World {
  return withHistory(world, world.primary, [...history(world, world.primary), entry])
}

function name(node: number): string {
  return names[node] ?? String(node)
}

function tell(entry: Entry): string {
  if (entry.kind === "beat") return `the heartbeat ${entry.watermark}`
  if (entry.kind === "fold") return `the fold up to ${entry.upTo}`
  const { record, stamp, gone, seq } = entry
  return `${gone ? "the deletion of " : ""}${record}@${stamp} (number ${seq})`
}
