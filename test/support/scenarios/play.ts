import type { Test } from "tap"
import { thresholds } from "../../../plugins/capabilities/partners/definitions.ts"
import { findPartner } from "../../../plugins/capabilities/partners/find-partner.ts"
import { listPartners } from "../../../plugins/capabilities/partners/list-partners.ts"
import type { Engine } from "../database.ts"
import type { Program } from "./program.ts"
import { looks, type Row, type Scene } from "./rows.ts"
import { eventNames, setStage, type Stage, startProgram, writes } from "./stage.ts"
import { startVirtual, type VirtualService } from "./virtual-service.ts"

/** A scenario that is played. */
interface Played {
  readonly row: Row
  readonly program: Program
  readonly scene: Omit<Scene, "minute" | "isTroubled">
  /** Those whose copies count. */
  readonly judged: Program[]
  readonly failures: string[]
}

/** True for the minutes around the looks. */
const isClose = (minute: number) => minute <= 12 || minute > 110

/** The minutes that are played: those, and every tenth of the others. */
const minutes = Array.from({ length: 125 }, (_, index) => index - 4)
  .filter((minute) => isClose(minute) || minute % 10 === 0)

/** The seconds of a minute at which programs poll. */
const pollsAt = 50

/**
 * Plays all scenarios at the same time, in a service of their own, and sets all clocks back so many seconds as the
 * trouble begins. Returns what was wrong with what an operator could read, by the scenario's name.
 */
export async function playAll(
  t: Test,
  engine: Engine,
  rows: readonly Row[],
  { setBack = 0 }: { readonly setBack?: number } = {},
): Promise<ReadonlyMap<string, readonly string[]>> {
  const settings = rows.map(({ settings = {} }, index) => [accountOf(index), settings] as const)
  const service = await startVirtual(t, engine, { accounts: Object.fromEntries(settings) })
  const stage = await setStage(service)
  const begin = service.time + 6 * 60
  const played: Played[] = []
  for (const [index, row] of rows.entries()) played.push(await prepare(service, stage, row, index))
  const at = (minute: number, second: number) => {
    const time = begin + (minute - 1) * 60 + second
    if (time > service.time) service.passTo(time)
  }
  for (const minute of minutes) {
    const now = { minute, isTroubled: minute > 0 }
    if (minute === 1) {
      service.setBack(setBack)
      await service.look()
    }
    for (const second of writes) {
      at(minute, second)
      await stage.write(minute, second)
      if (second > 0) continue
      for (const { row, scene } of played) await row.operate?.[minute]?.({ ...scene, ...now })
      await Promise.all(played.map(({ scene }) => receiveHeld(scene)))
    }
    at(minute, pollsAt - 1)
    const isLookedAt = minute > 0 && isClose(minute)
    if (isLookedAt) await lookAt(service, stage, played, minute)
    at(minute, pollsAt)
    await service.look()
    await Promise.all(played.map(({ row, scene }) => row.act({ ...scene, ...now })))
    await service.settle()
    at(minute, 60)
    if (isLookedAt) await lookAt(service, stage, played, minute)
    const look = looks.findIndex((time) => time === minute)
    if (look >= 0) await lookClosely(service, { begin: begin - setBack, played, look })
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
  const account = accountOf(index)
  const { build } = service
  await build.account(account)
  if (row.may === "all") await build.grant(account, { organization: "acme" })
  else for (const name of row.may) await build.grant(account, { event: stage.ids[name] })
  const { family = "connector-a" } = row
  const options = { account, family, address: `192.0.${index}.9` } as const
  const program = await startProgram(service, options)
  const judged = [program]
  let other: Program | undefined
  const events = (row.reads ?? openEvents(row)).map((name) => stage.ids[name])
  return {
    row,
    program,
    judged,
    failures: [],
    scene: {
      service,
      stage,
      program,
      events,
      event: events[0] ?? "",
      held: {},
      async another({ keepsCopy }) {
        if (other) return other
        other = await startProgram(service, options)
        if (keepsCopy) judged.push(other)
        return other
      },
    },
  }
}

/** Returns the events that a partner should have: those that it may read, but for the closed one. */
function openEvents({ may }: Row) {
  return may === "all" ? eventNames.filter((name) => name !== "closed") : may
}

/** Lets a request that waits get its answer, after a change. */
async function receiveHeld({ held, program, event }: Played["scene"]): Promise<void> {
  const page = await held.page
  held.page = undefined
  if (page?.status !== 200) return
  program.apply(page)
  program.since.set(`${event} guests`, page.nextSince)
}

/** Compares what is said of each partner with its copies. */
async function lookAt(
  service: VirtualService,
  stage: Stage,
  played: readonly Played[],
  minute: number,
): Promise<void> {
  const healths = await listPartners(service.database, service)
  const time = `minute ${minute}`
  for (const { row, program, scene, judged, failures } of played) {
    const health = healths.find(({ account }) => account === program.account)
    if (!health) throw new Error(`${program.account} is not listed`)
    const { state, reason } = health
    const patience = (row.settings?.poll_interval ?? 60) + thresholds.grace
    const kinds = row.family ? ["guests", "items"] as const : ["guests"] as const
    const ageOf = (events: readonly string[]) => {
      const wrong = judged.flatMap(({ copy }) =>
        stage.records.wrongSince(copy, { events, kinds }) ?? []
      )
      return service.time - Math.min(service.time, ...wrong)
    }
    const events = state === "partial" && row.reads
      ? scene.events
      : openEvents(row).map((name) => stage.ids[name])
    const isClaimed = state === "in sync" || (state === "partial" && row.reads)
    const age = ageOf(events)
    if (isClaimed && age > patience) {
      failures.push(`${time}: it is said to be ${state}, and its copy is wrong since ${age} s`)
    }
    if (!row.isWell) continue
    if (age > patience) failures.push(`${time}: it is not well, its copy is wrong since ${age} s`)
    else if (state !== "in sync") {
      failures.push(`${time}: it is well, and said to be ${state}: ${reason}`)
    }
  }
}

/** Compares what is said of each partner with what an operator must read. */
async function lookClosely(
  { database, retention }: VirtualService,
  { begin, played, look }: {
    readonly begin: number
    readonly played: readonly Played[]
    readonly look: number
  },
): Promise<void> {
  for (const { row, program, failures } of played) {
    const { health, sentences } = await findPartner(database, program.account, { retention })
    const { state, since } = health
    const text = sentences.join("\n")
    const after = `after ${looks[look]} minutes`
    const expected = row.shows[look] ?? []
    if (!expected.includes(state)) {
      failures.push(`${after}: ${state} instead of ${expected.join(" or ")}: ${health.reason}`)
      continue
    }
    if (["in sync", "never polled", "disabled"].includes(state)) continue
    if (row.says && !row.says.test(text)) {
      failures.push(`${after}: does not say ${row.says}:\n${text}`)
    }
    if (state === "partial") continue
    if (/What to do: nothing/.test(text)) {
      failures.push(`${after}: says that there is nothing to do`)
    }
    if (since === null) failures.push(`${after}: does not say since when it is ${state}`)
    else if (isWrongSince(row, since - begin)) {
      failures.push(`${after}: ${state} since ${since - begin} s after the trouble began`)
    }
  }
}

/** True if the trouble did not begin so many seconds after that of most. */
function isWrongSince({ isOlder, isLater }: Row, seconds: number): boolean {
  if (isOlder) return seconds > 0
  return isLater ? seconds < 0 : Math.abs(seconds) > 120
}
