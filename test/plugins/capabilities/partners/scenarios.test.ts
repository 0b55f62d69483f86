import t, { type Test } from "tap"
import { revokeSessions, setPassword } from "../../../../core/access/accounts.ts"
import { grantAccess, withdrawAccess } from "../../../../core/access/grants.ts"
import { hashPassword } from "../../../../core/access/passwords.ts"
import { itemCategories } from "../../../../core/records/kinds/items.ts"
import type { PartnerState } from "../../../../plugins/capabilities/partners/definitions.ts"
import { findPartner } from "../../../../plugins/capabilities/partners/find-partner.ts"
import { listPartners } from "../../../../plugins/capabilities/partners/list-partners.ts"
import { type Engine, onEmbedded } from "../../../support/database.ts"
import { Program } from "../../../support/scenarios/program.ts"
import {
  type EventName,
  eventNames,
  setStage,
  type Stage,
  writes,
} from "../../../support/scenarios/stage.ts"
import { startVirtual, type VirtualService } from "../../../support/scenarios/virtual-service.ts"

/** The minutes that are played. The trouble begins with minute 1. */
const minutes = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 60, 115, 119, 120] as const

/** The minutes after which an operator reads why a partner is in its state. */
const looks = [1, 10, 120] as const

/** The second of a minute at which programs poll. */
const pollsAt = 50

/** What a scenario works with, in a minute. */
interface Scene {
  readonly service: VirtualService
  readonly stage: Stage
  readonly minute: number
  readonly isTroubled: boolean
  readonly program: Program
  /** The ids of the events that the partner reads. */
  readonly events: readonly string[]
  readonly event: string
}

type States = readonly (PartnerState | readonly PartnerState[])[]

/** A way for a partner to go wrong, or to be well, and what an operator must read. */
interface Row {
  readonly name: string
  /** Default: connector A, which has guests only. */
  readonly family?: "connector-b"
  /** The events that it may read: `busy` if it is not said; "all" is a grant for the organization. */
  readonly may?: "all" | readonly EventName[]
  /** The events that it reads, if not all of them. */
  readonly reads?: readonly EventName[]
  readonly settings?: { readonly quota: number }
  /** What the program does once a minute. */
  readonly act: (scene: Scene) => Promise<void>
  /** What the operator does at the beginning of a minute. */
  readonly operate?: Readonly<Record<number, (scene: Scene) => Promise<unknown>>>
  /** The states that an operator may read after each look: in sync if it is not said. */
  readonly shows?: States
  /** What the page says then, if it shows trouble. */
  readonly says?: RegExp
  /** True if it must be in sync whenever the operator looks. */
  readonly isWell?: true
  /** The trouble has been there all along. */
  readonly isOlder?: true
  /** The trouble begins later than that of others, or again. */
  readonly isLater?: true
}

const always = (state: PartnerState): States => [state, state, state]

/** Polls as the guide says. */
const polls = ({ program, events }: Scene) => program.poll(events)

/** Polls as the guide says, until the trouble begins. */
const unlessTroubled = (then: (scene: Scene) => Promise<void>) => async (scene: Scene) => {
  if (scene.isTroubled) await then(scene)
  else await polls(scene)
}

/** Reads guests since a time of its own, and deletions as it should. */
async function readGuestsSince({ program, events, event }: Scene, since: number): Promise<void> {
  const page = await program.walk(event, "guests", since)
  if (page) program.since.set(`${event} guests`, page.nextSince)
  await program.poll(events, { lists: ["guests/deletions"] })
}

/** Asks since the time at which its own clock saw the last poll begin. */
const byOwnClock = (ahead: number) =>
  unlessTroubled(async ({ program, event }) => {
    const next = program.now + ahead
    const since = program.notes.get("since") ?? program.since.get(`${event} guests`) ?? -1
    for (const list of ["guests", "guests/deletions"] as const) {
      await program.walk(event, list, since)
    }
    program.notes.set("since", next)
  })

const grant = (networks?: readonly string[]) => (scene: Scene) => {
  const { service: { database, operator }, program, event } = scene
  return grantAccess(database, program.account, { event }, networks ? { networks } : {}, operator)
}

const otherPassword = hashPassword("another correct horse battery", { ln: 4, r: 8, p: 1 })

/** All scenarios: first the partners that do nothing wrong. */
const rows: readonly Row[] = [
  {
    name: "polls a busy event as the guide says",
    family: "connector-b",
    act: polls,
    isWell: true,
  },
  {
    name: "reads items by category, all six",
    family: "connector-b",
    async act({ program, event, events }) {
      await program.poll(events, { lists: ["guests", "guests/deletions", "items/deletions"] })
      for (const category of itemCategories) {
        const since = program.notes.get(category) ?? -1
        const page = await program.walk(event, "items", since, { query: `&category=${category}` })
        if (page) program.notes.set(category, page.nextSince)
      }
    },
    shows: always("partial"),
    says: /by category/,
    isOlder: true,
  },
  {
    name: "reads everything each time, with since=-1 or without",
    async act({ program, event, minute }) {
      await program.walk(event, "guests", minute % 2 === 0 ? -1 : undefined)
    },
    isWell: true,
  },
  {
    name: "asks since the newest updated that it has",
    async act(scene) {
      await readGuestsSince(scene, scene.program.newest)
    },
    isWell: true,
  },
  {
    name: "reads the feed of all open events",
    family: "connector-b",
    may: "all",
    reads: ["busy", "other", "quiet", "still"],
    act: async ({ program, events }) => void await program.feed(events),
    isWell: true,
  },
  {
    name: "begins the feed with now, and reads nothing else",
    family: "connector-b",
    act: async ({ program, events }) => void await program.feed(events, { after: "now" }),
    shows: always("partial"),
    isOlder: true,
  },
  {
    name: "reads one page of the feed at a time, and falls behind",
    family: "connector-b",
    act: unlessTroubled(async ({ program, events }) =>
      void await program.feed(events, { limit: 1, pages: 1 })
    ),
    shows: ["in sync", "behind", "behind"],
  },
  {
    name: "stops, on a busy event",
    act: unlessTroubled(async () => {}),
    shows: ["in sync", "silent", "silent"],
    says: /no request/,
  },
  {
    name: "asks for changes since tomorrow",
    act: unlessTroubled((scene) => readGuestsSince(scene, scene.program.now + 86_400)),
    shows: [["in sync", "stuck"], ["stuck", "behind"], "stuck"],
    says: /future|ahead|clock/,
  },
  {
    name: "has a clock of its own that is 45 seconds fast",
    act: byOwnClock(45),
    shows: [["in sync", "behind"], ["behind", "stuck"], ["behind", "stuck"]],
    says: /Next-Since/,
    isLater: true,
  },
  {
    name: "never ends a walk",
    act: unlessTroubled(async ({ program, event }) => {
      for (const list of program.lists) {
        const since = program.since.get(`${event} ${list}`)
        await program.first(event, list, since, { query: "&limit=1" })
      }
    }),
    shows: ["in sync", "stuck", "stuck"],
    says: /cannot be completed/,
  },
  {
    name: "never reads deletions",
    act: ({ program, events }) => program.poll(events, { lists: ["guests"] }),
    shows: always("behind"),
    says: /deletions/,
    isOlder: true,
  },
  {
    name: "ignores 410",
    act: unlessTroubled(async ({ program, event, events }) => {
      await program.poll(events, { lists: ["guests"] })
      await program.walk(event, "guests/deletions", program.now - 100 * 86_400)
    }),
    shows: always("stuck"),
    says: /410|read everything/,
  },
  {
    name: "comes from a network that its grant does not count from",
    act: polls,
    operate: { 1: grant(["10.0.0.0/8"]) },
    shows: always("no access"),
    says: /192\.0\.[0-9]+\.9/,
  },
  {
    name: "has a grant that was withdrawn and given back",
    act: polls,
    operate: {
      1: ({ service: { database, operator }, program, event }) =>
        withdrawAccess(database, program.account, { event }, operator),
      6: grant(),
    },
    shows: ["no access", "in sync", "in sync"],
    says: /withdrawn by root/,
  },
  {
    name: "has another password than its program",
    act: unlessTroubled(async (scene) => {
      await polls(scene)
      await scene.program.logIn()
    }),
    operate: {
      1: async ({ service: { database, operator }, program }) =>
        await setPassword(database, program.account, await otherPassword, operator),
    },
    shows: always("locked out"),
    says: /401/,
  },
  {
    name: "sends the cookie of an ended session for ever",
    act: polls,
    operate: {
      1: ({ service: { database, operator }, program }) =>
        revokeSessions(database, program.account, operator),
    },
    shows: always("locked out"),
    says: /session has ended/,
  },
  {
    name: "polls fifteen times a minute, and ignores 429",
    settings: { quota: 30 },
    act: unlessTroubled(async (scene) => {
      // In another hour, it has a quota again.
      if (scene.minute === 60) return
      for (let time = 0; time < 15; time++) await polls(scene)
    }),
    shows: ["in sync", ["behind", "stuck"], ["behind", "stuck"]],
    says: /429/,
    isLater: true,
  },
  {
    name: "reads half of its events",
    may: "all",
    reads: ["busy", "quiet"],
    act: polls,
    shows: always("partial"),
    says: /event/,
    isOlder: true,
  },
  {
    name: "asks for an event that is not there",
    async act({ program }) {
      await program.first("00000000-0000-4000-8000-0000000000aa", "guests", -1)
    },
    shows: [["stuck", "never polled"], "stuck", "stuck"],
    says: /404/,
    isOlder: true,
  },
  {
    name: "cannot store what it gets, and asks for the same again",
    act: unlessTroubled(async ({ program, event }) => {
      for (const list of program.lists) {
        await program.first(event, list, program.since.get(`${event} ${list}`))
      }
    }),
    shows: ["in sync", "partial", "partial"],
    says: /same again/,
  },
]

await onEmbedded(t, async (t, engine) => {
  const failures = await playAll(t, engine, rows)
  for (const { name } of rows) {
    await t.test(`partners says of a partner that ${name} what is true`, (t) => {
      t.strictSame(failures.get(name), [])
      t.end()
    })
  }
})

/** A scenario that is played. */
interface Played {
  readonly row: Row
  readonly program: Program
  readonly scene: Omit<Scene, "minute" | "isTroubled">
  readonly failures: string[]
}

/**
 * Plays scenarios side by side, in a service of their own. Returns what was wrong with what an operator could read, by
 * the scenario's name.
 */
async function playAll(
  t: Test,
  engine: Engine,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const settings = rows.map(({ settings = {} }, index) => [accountOf(index), settings] as const)
  const service = await startVirtual(t, engine, { accounts: Object.fromEntries(settings) })
  const stage = await setStage(service)
  const begin = service.now + 6 * 60
  const played: Played[] = []
  for (const [index, row] of rows.entries()) played.push(await prepare(service, stage, row, index))
  for (const minute of minutes) {
    const now = { minute, isTroubled: minute > 0 }
    const at = (second: number) => {
      service.passTo(Math.max(service.now, begin + (minute - 1) * 60 + second))
    }
    for (const second of writes) {
      at(second)
      await stage.write(minute, second)
      if (second > 0) continue
      for (const { row, scene } of played) await row.operate?.[minute]?.({ ...scene, ...now })
    }
    // Programs have not polled for long when the minutes go on after a pause.
    const isLookedAt = (minute > 0 && minute <= 10) || minute === 120
    at(pollsAt - 1)
    if (isLookedAt) await judgeWell(service, played, minute)
    at(pollsAt)
    await service.look()
    await Promise.all(played.map(({ row, scene }) => row.act({ ...scene, ...now })))
    await service.settle()
    at(60)
    if (isLookedAt) await judgeWell(service, played, minute)
    const look = looks.findIndex((time) => time === minute)
    if (look >= 0) await readReports(service, played, { begin, look })
  }
  return new Map(played.map(({ row, failures }) => [row.name, failures]))
}

function accountOf(index: number): string {
  return `partner-${index}`
}

async function prepare(
  service: VirtualService,
  stage: Stage,
  row: Row,
  index: number,
): Promise<Played> {
  const { family = "connector-a", may = ["busy"] } = row
  const options = { account: accountOf(index), family, address: `192.0.${index}.9` } as const
  await service.build.account(options.account)
  if (may === "all") await service.build.grant(options.account, { organization: "acme" })
  for (const name of may === "all" ? [] : may) {
    await service.build.grant(options.account, { event: stage.ids[name] })
  }
  const program = await Program.start(service, options)
  const events = (row.reads ?? openEvents(row)).map((name) => stage.ids[name])
  return {
    row,
    program,
    failures: [],
    scene: { service, stage, program, events, event: events[0] ?? "" },
  }
}

/** Returns the events that a partner should have: those that it may read, but for the closed one. */
function openEvents({ may = ["busy"] }: Row) {
  return may === "all" ? eventNames.filter((name) => name !== "closed") : may
}

/** Notes which partners do nothing wrong and are not said to be in sync. */
async function judgeWell(
  { database, retention }: VirtualService,
  played: readonly Played[],
  minute: number,
): Promise<void> {
  const healths = await listPartners(database, { retention })
  for (const { row, program, failures } of played) {
    const health = healths.find(({ account }) => account === program.account)
    if (!row.isWell || health?.state === "in sync") continue
    failures.push(`minute ${minute}: ${health?.state}, ${health?.reason}`)
  }
}

/** Compares what is said of each partner with what an operator must read. */
async function readReports(
  { database, retention }: VirtualService,
  played: readonly Played[],
  { begin, look }: { readonly begin: number; readonly look: number },
): Promise<void> {
  for (const { row, program, failures } of played) {
    const { health, sentences } = await findPartner(database, program.account, { retention })
    const { state, since, reason } = health
    const text = sentences.join("\n")
    const fail = (what: string) => failures.push(`after ${looks[look]} minutes: ${what}`)
    const expected = [row.shows?.[look] ?? "in sync"].flat()
    if (!expected.includes(state)) {
      fail(`${state} instead of ${expected.join(" or ")}: ${reason}`)
      continue
    }
    if (["in sync", "never polled", "disabled"].includes(state)) continue
    if (row.says && !row.says.test(text)) fail(`does not say ${row.says}:\n${text}`)
    if (state === "partial") continue
    if (/What to do: nothing/.test(text)) fail("says that there is nothing to do")
    if (since === null) fail(`does not say since when it is ${state}`)
    else if (isWrongSince(row, since - begin)) {
      fail(`${state} since ${since - begin} s after the trouble began`)
    }
  }
}

/** True if the trouble did not begin that many seconds after that of most. */
function isWrongSince({ isOlder, isLater }: Row, seconds: number): boolean {
  if (isOlder) return seconds > 0
  return isLater ? seconds < 0 : Math.abs(seconds) > 120
}
