import fc from "fast-check"
import {
  begin,
  end,
  type FeedMoment,
  type FeedPosition,
  type FeedState,
  stateOfNow,
} from "../../../plugins/capabilities/feed/walk.ts"
import { type Beat, type ListName, listNames, type ModelRow, World } from "./world.ts"

/** What happens next. */
export type FeedStep =
  | {
    readonly do: "write"
    readonly list: ListName
    readonly id: number
    readonly isDeletion: boolean
    readonly open: number | undefined
  }
  | { readonly do: "end"; readonly open: number; readonly isCommit: boolean }
  | { readonly do: "wait" | "set back" | "forget"; readonly seconds: number }
  | { readonly do: "look"; readonly process: number }
  | { readonly do: "replicate"; readonly server: number; readonly commits: number }
  /** The client reads a page, and stores it; with `loses`, its cursor is not stored. */
  | {
    readonly do: "read"
    readonly process: number
    readonly server: number
    readonly limit: number
    readonly loses: boolean
  }
  /** The client goes back to what it had stored some pages ago. */
  | { readonly do: "restore"; readonly pages: number }
  /** The database is restored. */
  | { readonly do: "lose"; readonly commits: number }
  | {
    readonly do: "configure"
    readonly process: number
    readonly fields: number
    readonly hasItems: boolean
  }

export interface FeedScenario {
  /** With one, what processes know of open changes; with several, what a server's heartbeat says. */
  readonly servers: number
  /** True for a client that begins with a cursor of now, and then reads an export. */
  readonly startsNow: boolean
  readonly steps: readonly FeedStep[]
}

const id = fc.nat({ max: 3 })
const writes = fc.record({
  do: fc.constant("write" as const),
  list: fc.constantFrom(...listNames),
  id,
  isDeletion: fc.boolean(),
  open: fc.constantFrom(undefined, undefined, 0, 1),
})

/** Returns random scenarios, in which processes are configured if wanted. */
export function feedScenarios(
  { servers, configures }: { readonly servers: number; readonly configures: boolean },
): fc.Arbitrary<FeedScenario> {
  const process = fc.nat({ max: 1 })
  const reads = fc.record({
    do: fc.constant("read" as const),
    process,
    server: fc.nat({ max: 2 }),
    limit: fc.integer({ min: 1, max: 3 }),
    // Of records with former fields, nothing would remind the client later.
    loses: configures ? fc.constant(false) : fc.boolean(),
  })
  const step: fc.Arbitrary<FeedStep> = fc.oneof(
    { weight: 10, arbitrary: reads },
    { weight: 8, arbitrary: writes },
    { weight: 4, arbitrary: process.map((process) => ({ do: "look" as const, process })) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("end" as const),
        open: process,
        isCommit: fc.boolean(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.constantFrom(1, 1, 2, 20).map((seconds) => ({ do: "wait" as const, seconds })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(1, 5, 30).map((seconds) => ({ do: "set back" as const, seconds })),
    },
    {
      weight: servers > 1 ? 6 : 0,
      arbitrary: fc.record({
        do: fc.constant("replicate" as const),
        server: fc.integer({ min: 1, max: 2 }),
        commits: fc.integer({ min: 1, max: 4 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.nat({ max: 3 }).map((pages) => ({ do: "restore" as const, pages })),
    },
    {
      weight: configures ? 1 : 0,
      arbitrary: fc.record({
        do: fc.constant("configure" as const),
        process,
        fields: fc.nat({ max: 1 }),
        hasItems: fc.boolean(),
      }),
    },
    {
      weight: servers === 1 ? 1 : 0,
      arbitrary: fc.nat({ max: 4 }).map((commits) => ({ do: "lose" as const, commits })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(0, 5, 40).map((seconds) => ({ do: "forget" as const, seconds })),
    },
  )
  return fc.record({
    servers: fc.constant(servers),
    startsNow: fc.constantFrom(false, false, false, true),
    steps: fc.array(step, { minLength: 6, maxLength: 40 }),
  })
}

/** A record in a copy, as `value fields`. */
type Copy = ReadonlyMap<string, string>

/** How a process is configured. */
interface Settings {
  readonly fields: number
  readonly hasItems: boolean
}

/** What a play has come to. */
export interface Played {
  readonly copy: readonly string[]
  readonly truth: readonly string[]
}

/** Plays a scenario, ends what is open, and lets the client read to the end. */
export function playFeed({ servers, startsNow, steps }: FeedScenario): Played {
  const world = new World(servers)
  const looks: Beat[] = [world.look(), world.look()]
  const settings: Settings[] = [{ fields: 0, hasItems: true }, { fields: 0, hasItems: true }]
  let copy: Copy = new Map()
  let state: FeedState | undefined
  let resyncs = 0
  const stored: { readonly copy: Copy; readonly state: FeedState | undefined }[] = []

  const momentAt = (process: number, server: number): FeedMoment => {
    const { version, newest, beat } = world.server(server)
    const own = looks[process] as Beat
    const { fields, hasItems } = settings[process] as Settings
    const known = servers > 1 ? beat : own
    const lists = { guests: `fields ${fields}`, ...hasItems && { items: `fields ${fields}` } }
    return {
      bound: (servers > 1 ? beat?.floor : own.watermark) ?? 0,
      steps: known?.steps ?? [],
      version,
      newest,
      areMany: servers > 1,
      lists,
    }
  }
  const rowsAt = (process: number, server: number) =>
    world.server(server).rows
      .filter(({ list }) => list === "guests" || settings[process]?.hasItems)
      .toSorted((a, b) => compare(a.place, b.place))
  const apply = (rows: readonly ModelRow[], process: number) => {
    const next = new Map(copy)
    for (const { list, id, value } of rows) {
      const key = `${list} ${id}`
      if (value === undefined) next.delete(key)
      else next.set(key, `${key}: ${value}, fields ${settings[process]?.fields}`)
    }
    copy = next
  }

  /** Reads a page, as the service does. Returns the number of its changes. */
  const read = (process: number, server: number, limit: number, loses = false): number => {
    stored.push({ copy, state })
    // Whoever begins, begins with an empty copy.
    if (!state) copy = new Map()
    if (startsNow && !state && resyncs === 0) {
      const now = stateOfNow(momentAt(process, server))
      // The export comes from any server.
      const other = (server + 1) % servers
      apply(rowsAt(process, other).filter(({ value }) => value !== undefined), process)
      if (!loses) state = now
      return 1
    }
    let place = server
    const { beat } = world.server(server)
    const bound = state?.walk?.bound ?? -Infinity
    if (servers > 1 && (beat?.watermark ?? 0) < bound) place = 0
    // A client sends what it has as a text.
    const sent = state && JSON.parse(JSON.stringify(state)) as FeedState
    const begun = begin(sent, momentAt(process, place))
    if ("unchanged" in begun) {
      state = begun.unchanged
      return 0
    }
    const { walk } = begun
    const { after } = walk
    const { version, newest, completeSince } = world.server(place)
    const found = rowsAt(process, place).filter((row) =>
      row.at >= (row.value === undefined ? walk.gone : walk.since) &&
      (!after || compare(row.place, after) > 0)
    )
    const rows = found.slice(0, limit)
    const last = found.length > limit ? rows.at(-1)?.place : undefined
    const ended = end(walk, { version, newest, last, completeSince })
    if (ended === "resync") {
      copy = new Map()
      state = undefined
      resyncs++
      return 1
    }
    apply(rows, process)
    if (!loses) state = ended
    return rows.length
  }

  for (const step of steps) {
    if (step.do === "write") world.write(step.list, step.id, step)
    else if (step.do === "end") world.end(step.open, step.isCommit)
    else if (step.do === "wait") world.clock += step.seconds
    else if (step.do === "set back") world.clock -= step.seconds
    else if (step.do === "lose") world.restore(step.commits)
    else if (step.do === "forget") world.forget(world.clock - step.seconds)
    else if (step.do === "look") looks[step.process] = world.look()
    else if (step.do === "replicate" && step.server < servers) {
      world.replicate(step.server, step.commits)
    } else if (step.do === "read") {
      read(step.process, step.server % servers, step.limit, step.loses)
    } else if (step.do === "restore") {
      const { copy: was, state: had } = stored.at(-1 - step.pages) ?? { copy, state }
      copy = was
      state = had
    } else if (step.do === "configure") settings[step.process] = step
  }
  world.end(0, true)
  world.end(1, true)
  const all = () => {
    for (const server of world.applied.keys()) world.replicate(server)
  }
  settings[1] = settings[0] as Settings
  // One more read each, while the clock goes on.
  for (let round = 0; round < 4; round++) {
    looks.fill(world.look())
    all()
    looks.fill(world.look())
    all()
    let reads = 0
    do {
      if (++reads > 200) throw new Error("the client never gets to the end")
    } while (read(0, round % servers, 2) > 0 && (state?.walk || reads < 2) || state?.walk)
    world.clock += round === 0 ? 1 : 100
  }
  const settled = JSON.stringify(state)
  if (read(0, 0, 2) > 0 || JSON.stringify(state) !== settled) {
    throw new Error("the cursor changes, or brings changes, although nothing does")
  }
  const truth = rowsAt(0, 0).flatMap(({ list, id, value }) =>
    value === undefined ? [] : [`${list} ${id}: ${value}, fields ${settings[0]?.fields}`]
  )
  const isServed = (text: string) => settings[0]?.hasItems || !text.startsWith("items")
  return { copy: [...copy.values()].filter(isServed).sort(), truth: truth.sort() }
}

function compare(a: FeedPosition, b: FeedPosition): number {
  return a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : Number(a[2] > b[2]))
}
