import { revokeSessions, setDisabled, setPassword } from "../../../core/access/accounts.ts"
import { grantAccess, withdrawAccess } from "../../../core/access/grants.ts"
import { hashPassword } from "../../../core/access/passwords.ts"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import type { PartnerState } from "../../../plugins/capabilities/partners/definitions.ts"
import type { Page, Program } from "./program.ts"
import type { EventName, Stage } from "./stage.ts"
import type { VirtualService } from "./virtual-service.ts"

/** What a scenario works with, in a minute. */
export interface Scene {
  readonly service: VirtualService
  readonly stage: Stage
  /** The minute, from -4. The trouble begins with minute 1. */
  readonly minute: number
  readonly isTroubled: boolean
  readonly program: Program
  /** The ids of the events that the partner reads. */
  readonly events: readonly string[]
  readonly event: string
  /** Starts another program with the same account. If it keeps a copy of its own, that counts as well. */
  another(options: { readonly keepsCopy: boolean }): Promise<Program>
  /** Where a scenario keeps a request that waits. */
  readonly held: { page?: Promise<Page> | undefined }
}

/** When an operator looks, in minutes since the trouble began. */
export const looks = [1, 10, 120] as const

/** A way for a partner to go wrong, or to be well, and what an operator must read. */
export interface Row {
  readonly name: string
  /** Default: connector A, which has guests only. */
  readonly family?: "connector-b"
  /** The events that it may read; "all" is a grant for the organization. */
  readonly may: "all" | readonly EventName[]
  /** The events that it reads, if not all of them. */
  readonly reads?: readonly EventName[]
  readonly settings?: { readonly quota?: number; readonly poll_interval?: number }
  /** What the program does once a minute. */
  readonly act: (scene: Scene) => Promise<void>
  /** What the operator does at the beginning of a minute. */
  readonly operate?: Readonly<Record<number, (scene: Scene) => Promise<unknown>>>
  /** The states that an operator may read after a minute, ten minutes and two hours. */
  readonly shows: readonly [PartnerState[], PartnerState[], PartnerState[]]
  /** What the page says then, if it shows trouble. */
  readonly says?: RegExp
  /** True if it must be in sync whenever the operator looks. */
  readonly isWell?: true
  /** The trouble has been there all along. */
  readonly isOlder?: true
  /** The trouble begins later than that of others, or again. */
  readonly isLater?: true
}

const inSync: PartnerState[] = ["in sync"]
const well: Row["shows"] = [inSync, inSync, inSync]
const always = (state: PartnerState): Row["shows"] => [[state], [state], [state]]

/** Polls as the guide says. */
const polls = ({ program, events }: Scene) => program.poll(events)

/** Polls as the guide says, until the trouble begins. */
const unlessTroubled = (then: (scene: Scene) => Promise<void>) => async (scene: Scene) => {
  if (scene.isTroubled) await then(scene)
  else await polls(scene)
}

const nothing = () => Promise.resolve()

/** Reads guests since a time of its own, and deletions as it should. */
async function readGuestsSince({ program, events, event }: Scene, since: number): Promise<void> {
  const page = await program.walk(event, "guests", since)
  if (page) program.since.set(`${event} guests`, page.nextSince)
  await program.poll(events, { lists: ["guests/deletions"] })
}

/** Asks since the time at which its own clock saw the last poll begin. */
const byOwnClock = (ahead: number) =>
  unlessTroubled(async (scene) => {
    const { program, event } = scene
    const next = program.now + ahead
    const lists = ["guests", "guests/deletions"] as const
    const since = program.notes.get("since") ?? program.since.get(`${event} guests`) ?? -1
    for (const list of lists) await program.walk(event, list, since)
    program.notes.set("since", next)
  })

const withGrant = (
  change: (
    scene: Scene & { readonly target: { readonly event: string } },
  ) => Promise<void>,
) =>
(scene: Scene) => change({ ...scene, target: { event: scene.event } })

const withdraw = withGrant(({ service: { database, operator }, program, target }) =>
  withdrawAccess(database, program.account, target, operator)
)

/** All scenarios: first the partners that do nothing wrong. */
export const rows: readonly Row[] = [
  {
    name: "polls a busy event as the guide says",
    family: "connector-b",
    may: ["busy"],
    act: polls,
    shows: well,
    isWell: true,
  },
  {
    name: "polls a quiet event as the guide says",
    family: "connector-b",
    may: ["quiet"],
    act: polls,
    shows: well,
    isWell: true,
  },
  {
    name: "polls with entity tags, and gets 304",
    may: ["still"],
    async act({ program, event }) {
      const lists = ["guests", "guests/deletions"] as const
      for (const list of lists) {
        const tag = program.tags.get(list)
        const options = tag === undefined ? {} : { headers: { "if-none-match": tag } }
        const page = await program.walk(event, list, program.since.get(list) ?? -1, options)
        if (!page) continue
        program.since.set(list, page.nextSince)
        program.tags.set(list, page.etag ?? "")
        // The guide: the poll ends there.
        if (page.status === 304) return
      }
    },
    shows: well,
    isWell: true,
  },
  {
    name: "polls a quiet event every five minutes only",
    may: ["quiet"],
    async act(scene) {
      if (scene.minute % 5 === 0) await polls(scene)
    },
    shows: well,
  },
  {
    name: "polls a busy event every five minutes, as it was told",
    may: ["busy"],
    settings: { poll_interval: 300 },
    async act(scene) {
      if (scene.minute % 5 === 0) await polls(scene)
    },
    shows: well,
    isWell: true,
  },
  {
    name: "waits for changes",
    may: ["busy"],
    async act({ program, event, events, minute, held }) {
      const headers = { prefer: "wait=50" }
      await program.poll(events, { lists: ["guests"], headers })
      await program.poll(events, { lists: ["guests/deletions"] })
      if (![0, 1, 2, 9, 10, 119].includes(minute)) return
      const since = program.since.get(`${event} guests`)
      const page = await program.first(event, "guests", since)
      program.apply(page)
      held.page = program.first(event, "guests", page.nextSince, {
        headers: { ...headers, "if-none-match": page.etag ?? "" },
      })
    },
    shows: well,
    isWell: true,
  },
  {
    name: "reads items by category, all six",
    family: "connector-b",
    may: ["busy"],
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
    name: "reads everything each time, and drops what is gone",
    may: ["busy"],
    async act({ program, event }) {
      program.copy.clear()
      await program.walk(event, "guests", -1)
    },
    shows: well,
    isWell: true,
  },
  {
    name: "sends no since, and drops what is gone",
    may: ["busy"],
    async act({ program, event }) {
      program.copy.clear()
      await program.walk(event, "guests", undefined)
    },
    shows: well,
    isWell: true,
  },
  {
    name: "asks since the newest updated that it has",
    may: ["busy"],
    async act(scene) {
      await readGuestsSince(scene, Math.max(-1, ...scene.program.copy.values()))
    },
    shows: well,
    isWell: true,
  },
  {
    name: "has a clock of its own that is ten minutes slow",
    may: ["busy"],
    act: byOwnClock(-600),
    shows: well,
    isWell: true,
  },
  {
    name: "reads no deletions where there are none",
    may: ["still"],
    act: ({ program, events }) => program.poll(events, { lists: ["guests"] }),
    shows: well,
    isWell: true,
  },
  {
    name: "reads all open events, and not the closed one",
    may: "all",
    reads: ["busy", "other", "quiet", "still"],
    act: polls,
    shows: well,
    isWell: true,
  },
  {
    name: "is two programs with one account, each with a copy",
    may: ["busy"],
    async act(scene) {
      await polls(scene)
      if (scene.isTroubled) await (await scene.another({ keepsCopy: true })).poll(scene.events)
    },
    shows: well,
    isWell: true,
  },
  {
    name: "is tried out by a second program that never ends a walk",
    may: ["busy"],
    async act(scene) {
      await polls(scene)
      if (!scene.isTroubled) return
      const tried = await scene.another({ keepsCopy: false })
      await tried.first(scene.event, "guests", -1, { query: "&limit=1" })
    },
    shows: well,
    isWell: true,
  },
  {
    name: "reads the feed of all open events",
    family: "connector-b",
    may: "all",
    reads: ["busy", "other", "quiet", "still"],
    act: async ({ program, events }) => void await program.feed(events),
    shows: well,
    isWell: true,
  },
  {
    name: "reads the feed of a busy event in small pages",
    family: "connector-b",
    may: ["busy"],
    act: async ({ program, events }) => void await program.feed(events, { limit: 3 }),
    shows: well,
    isWell: true,
  },
  {
    name: "reads the feed and polls in turn",
    family: "connector-b",
    may: ["busy"],
    async act(scene) {
      if (scene.minute % 2 === 0) await scene.program.feed(scene.events)
      else await polls(scene)
    },
    shows: well,
    isWell: true,
  },
  {
    name: "begins the feed with now, and reads the lists afterwards",
    family: "connector-b",
    may: ["busy"],
    async act({ program, event, events }) {
      const isFirst = !program.cursors.has(event)
      await program.feed(events, { after: "now" })
      if (!isFirst) return
      for (const list of ["guests", "items"] as const) await program.walk(event, list, -1)
    },
    shows: well,
    isWell: true,
  },
  {
    name: "asks for records that are gone, besides the feed",
    family: "connector-b",
    may: ["busy"],
    async act({ program, event, events }) {
      await program.feed(events)
      await program.page(`/connector-b/v1/events/${event}/guests/${event}`)
    },
    shows: well,
    isWell: true,
  },

  {
    name: "begins the feed with now, and reads nothing else",
    family: "connector-b",
    may: ["busy"],
    act: async ({ program, events }) => void await program.feed(events, { after: "now" }),
    shows: always("partial"),
    isOlder: true,
  },
  {
    name: "reads one page of the feed at a time, and falls behind",
    family: "connector-b",
    may: ["busy"],
    act: unlessTroubled(async ({ program, events }) =>
      void await program.feed(events, { limit: 1, pages: 1 })
    ),
    shows: [inSync, ["behind"], ["behind"]],
  },
  {
    name: "stops reading the feed",
    family: "connector-b",
    may: ["busy"],
    act: async ({ isTroubled, program, events }) => void (isTroubled || await program.feed(events)),
    shows: [inSync, ["silent"], ["silent"]],
    says: /no request/,
  },
  {
    name: "has never polled",
    may: ["busy"],
    act: nothing,
    shows: always("never polled"),
    isOlder: true,
  },
  {
    name: "reads the list of events only",
    may: ["busy"],
    act: ({ program }) => program.events(),
    shows: [["never polled", "partial"], ["never polled", "partial"], ["never polled", "partial"]],
    isOlder: true,
  },
  {
    name: "stops, on a quiet event",
    may: ["quiet"],
    act: unlessTroubled(nothing),
    shows: [inSync, ["silent"], ["silent"]],
    says: /no request/,
  },
  {
    name: "stops, on a busy event",
    may: ["busy"],
    act: unlessTroubled(nothing),
    shows: [inSync, ["silent"], ["silent"]],
    says: /no request/,
  },
  {
    name: "asks for changes since tomorrow",
    may: ["busy"],
    act: unlessTroubled((scene) => readGuestsSince(scene, scene.program.now + 86_400)),
    shows: [["in sync", "stuck"], ["stuck", "behind"], ["stuck"]],
    says: /future|ahead|clock/,
  },
  {
    name: "has a clock of its own that is an hour fast",
    may: ["busy"],
    act: byOwnClock(3600),
    shows: [["in sync", "stuck"], ["stuck", "behind"], ["stuck"]],
    says: /future|ahead|clock/,
  },
  {
    name: "has a clock of its own that is 45 seconds fast",
    may: ["busy"],
    act: byOwnClock(45),
    shows: [["in sync", "behind"], ["behind", "stuck"], ["behind", "stuck"]],
    says: /Next-Since/,
    isLater: true,
  },
  {
    name: "never ends a walk",
    may: ["busy"],
    act: unlessTroubled(async ({ program, event }) => {
      for (const list of program.lists) {
        program.apply(
          await program.first(event, list, program.since.get(`${event} ${list}`), {
            query: "&limit=1",
          }),
        )
      }
    }),
    shows: [inSync, ["stuck"], ["stuck"]],
    says: /cannot be completed/,
  },
  {
    name: "keeps the tag of the first page of a walk that it broke off",
    may: ["still"],
    async act({ program, event, isTroubled }) {
      if (!isTroubled) return
      const tag = program.tags.get("guests")
      const options = { query: "&limit=1", headers: { "if-none-match": tag ?? "" } }
      const page = await program.first(event, "guests", -1, options)
      if (page.status === 304) return
      program.apply(page)
      program.tags.set("guests", page.etag ?? "")
    },
    shows: [["partial"], ["stuck"], ["stuck"]],
    says: /cannot be completed|has not ended its first walk/,
  },
  {
    name: "takes the first page of an import for the whole",
    may: ["busy"],
    async act({ program, event, events }) {
      const page = await program.first(event, "guests", program.since.get(event) ?? -1, {
        query: program.since.has(event) ? "&limit=15" : "",
      })
      program.apply(page)
      program.since.set(event, page.nextSince)
      await program.poll(events, { lists: ["guests/deletions"] })
    },
    shows: [inSync, ["behind"], ["behind"]],
    says: /Next-Since/,
  },
  {
    name: "never reads deletions",
    may: ["busy"],
    act: ({ program, events }) => program.poll(events, { lists: ["guests"] }),
    shows: always("behind"),
    says: /deletions/,
    isOlder: true,
  },
  {
    name: "reads deletions no longer",
    may: ["busy"],
    act: unlessTroubled(({ program, events }) => program.poll(events, { lists: ["guests"] })),
    shows: [inSync, ["behind"], ["behind"]],
    says: /deletions/,
  },
  {
    name: "ignores 410",
    may: ["busy"],
    act: unlessTroubled(async ({ program, event, events }) => {
      await program.poll(events, { lists: ["guests"] })
      await program.walk(event, "guests/deletions", program.now - 100 * 86_400)
    }),
    shows: always("stuck"),
    says: /410|read everything/,
  },
  {
    name: "comes from a network that its grant does not count from",
    may: ["busy"],
    act: polls,
    operate: {
      1: withGrant(({ service: { database, operator }, program, target }) =>
        grantAccess(database, program.account, target, { networks: ["10.0.0.0/8"] }, operator)
      ),
    },
    shows: always("no access"),
    says: /192\.0\.[0-9]+\.9/,
  },
  {
    name: "has a grant that has ended",
    may: ["busy"],
    act: polls,
    operate: {
      [-4]: withGrant(({ service, program, target }) =>
        grantAccess(
          service.database,
          program.account,
          target,
          { ends: service.now + 5 * 60 },
          service.operator,
        )
      ),
    },
    shows: always("no access"),
    says: /grant .*(ended|expired)/,
  },
  {
    name: "has a grant that was withdrawn",
    may: ["busy"],
    act: polls,
    operate: { 1: withdraw },
    shows: always("no access"),
    says: /withdrawn by root.*access grant/s,
  },
  {
    name: "has a grant that was withdrawn and given back",
    may: ["busy"],
    act: polls,
    operate: {
      1: withdraw,
      6: withGrant(({ service: { database, operator }, program, target }) =>
        grantAccess(database, program.account, target, {}, operator)
      ),
    },
    shows: [["no access"], inSync, inSync],
    says: /withdrawn by root/,
  },
  {
    name: "has a disabled account, and polls on",
    may: ["busy"],
    act: polls,
    operate: {
      1: ({ service: { database, operator }, program }) =>
        setDisabled(database, program.account, true, { by: operator }),
    },
    shows: always("no access"),
    says: /disabled/,
  },
  {
    name: "has a disabled account, and has stopped",
    may: ["busy"],
    act: unlessTroubled(nothing),
    operate: {
      1: ({ service: { database, operator }, program }) =>
        setDisabled(database, program.account, true, { by: operator }),
    },
    shows: always("disabled"),
  },
  {
    name: "has another password than its program",
    may: ["busy"],
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
    may: ["busy"],
    act: polls,
    operate: {
      1: ({ service: { database, operator }, program }) =>
        revokeSessions(database, program.account, operator),
    },
    shows: always("locked out"),
    says: /session has ended/,
  },
  {
    name: "logs in for each poll, and forgets the cookie",
    may: ["busy"],
    act: unlessTroubled(async (scene) => {
      const other = await scene.another({ keepsCopy: false })
      other.logOut()
      await other.logIn({ keepsCookie: false })
      await other.poll(scene.events)
    }),
    shows: [inSync, ["silent", "behind", "locked out"], ["silent", "behind", "locked out"]],
  },
  {
    name: "polls fifteen times a minute, and ignores 429",
    may: ["busy"],
    settings: { quota: 30 },
    act: unlessTroubled(async (scene) => {
      // In another hour, it has a quota again.
      if (scene.minute === 60) return
      for (let time = 0; time < 15; time++) await polls(scene)
    }),
    shows: [inSync, ["behind", "stuck"], ["behind", "stuck"]],
    says: /429/,
    isLater: true,
  },
  {
    name: "reads one category of six",
    family: "connector-b",
    may: ["busy"],
    async act({ program, event, events }) {
      await program.poll(events, { lists: ["guests", "guests/deletions", "items/deletions"] })
      const since = program.notes.get("tickets") ?? -1
      const page = await program.walk(event, "items", since, { query: "&category=tickets" })
      if (page) program.notes.set("tickets", page.nextSince)
    },
    shows: always("partial"),
    says: /categor/,
    isOlder: true,
  },
  {
    name: "searches only",
    may: ["busy"],
    act: ({ program, events }) => program.poll(events, { query: "&q=ada" }),
    shows: always("partial"),
    says: /search/,
    isOlder: true,
  },
  {
    name: "keeps one since for two events",
    may: ["busy", "other"],
    act: unlessTroubled(async ({ program, events }) => {
      for (const event of events) {
        for (const list of ["guests/deletions", "guests"] as const) {
          const since = program.notes.get(list) ?? program.since.get(`${event} ${list}`) ?? -1
          const page = await program.walk(event, list, since)
          if (page) program.notes.set(list, page.nextSince)
        }
      }
    }),
    shows: [["in sync", "behind"], ["behind"], ["behind"]],
    says: /Next-Since/,
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
    name: "has read one of its events never: it was refused, and tried no more",
    may: ["busy", "other"],
    reads: ["busy"],
    async act({ program, event, events, minute, stage }) {
      await program.poll(events.filter((id) => id === event))
      if (minute === -4) {
        await program.first(stage.ids.other, "guests", -1, { query: "&limit=many" })
      }
    },
    shows: always("partial"),
    says: /event that is not over it does not read/,
    isOlder: true,
  },
  {
    name: "asks for an event that is not there",
    may: ["busy"],
    async act({ program }) {
      await program.first("00000000-0000-4000-8000-0000000000aa", "guests", -1)
    },
    shows: [["stuck", "never polled"], ["stuck"], ["stuck"]],
    says: /404/,
    isOlder: true,
  },
  {
    name: "cannot store what it gets, and asks for the same again",
    may: ["busy"],
    act: unlessTroubled(async ({ program, event }) => {
      for (const list of program.lists) {
        await program.first(event, list, program.since.get(`${event} ${list}`))
      }
    }),
    shows: [inSync, ["partial"], ["partial"]],
    says: /same again/,
  },
]

const otherPassword = hashPassword("another correct horse battery", { ln: 4, r: 8, p: 1 })
