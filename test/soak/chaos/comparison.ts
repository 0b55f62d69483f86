import { isDeepStrictEqual } from "node:util"
import type { Category } from "../../../core/records/categories.ts"
import type { RecordCopy } from "../../support/polling/reader.ts"
import type { PlayedPartner } from "./crowd.ts"
import type { FeedProgram } from "./feed-program.ts"
import type { Observations } from "./observations.ts"
import { checkDigests } from "./digest-check.ts"
import { describePartner, expectedCopy, type Partner } from "./partners.ts"
import { recordsOf } from "../../support/polling/pages.ts"
import type { Poller } from "./poller.ts"
import type { Scene } from "./stage.ts"
import { readTruth } from "../../support/truth.ts"

/** What the comparison of all copies found. */
export interface Comparison {
  /** Records of copies that were compared with the tables. */
  readonly compared: number
  /** Records lost or outdated in the copies of partners who poll by the largest `updated`. */
  readonly lostByControl: number
}

/** Compares the copies of partners with the tables, field by field, and the digests too. */
export async function compareCopies(
  stage: Scene,
  partners: readonly PlayedPartner[],
): Promise<Comparison> {
  const { server, observations, data: { eventIds } } = stage
  const truths = [
    await readTruth(server, eventIds[0]),
    await readTruth(server, eventIds[1]),
  ] as const
  let compared = 0
  let lostByControl = 0
  for (const { partner, poller } of partners) {
    const expected = expectedCopy(partner, truths[partner.event])
    const { lost, stale, phantom } = compare(poller.copy, expected)
    if (partner.kind.keeps === "max(updated)") {
      lostByControl += lost.length + stale.length
      continue
    }
    compared += expected.length
    const wrong = [...lost, ...stale, ...phantom]
    if (wrong.length === 0) continue
    const some = wrong.slice(0, 2)
    const examples = some.map((id) => ({
      copy: poller.copy.get(id),
      table: expected.find((record) => record.id === id),
    }))
    observations.violate(
      `the copy of ${describePartner(partner)} has ${lost.length} records lost, ${stale.length} ` +
        `outdated and ${phantom.length} that no longer exist: ${JSON.stringify(examples)}; ` +
        `the polls since then were ${JSON.stringify(pollsAround(poller, examples))}; ` +
        `services now have ${JSON.stringify(await readAgain(stage, partner, some))}`,
    )
  }
  await checkDigests(stage, truths)
  return { compared, lostByControl }
}

/** Returns the first polls that ended after the tables had got the first of some records that they have. */
function pollsAround(
  { history }: Poller,
  examples: readonly { readonly table: RecordCopy | undefined }[],
) {
  const from = Math.min(...examples.flatMap(({ table }) => table?.updated ?? []))
  return history.filter(({ ended }) => ended >= from).slice(0, 5)
}

/** Returns the times of records as each service has them now: that tells a wrong page from a wrong `since`. */
async function readAgain(
  { services, client, cookies, data: { eventIds } }: Scene,
  { family, account, event, list }: Partner,
  ids: readonly string[],
): Promise<Readonly<Record<string, readonly number[]>>> {
  if (list === "changes") return {}
  const path = `${family}/events/${eventIds[event]}/${list}?since=-1&limit=1000`
  const cookie = cookies[account] ?? ""
  const found = services.map(async (service) => {
    const { text } = await client.get(path, { service, cookie })
    const wanted = recordsOf(JSON.parse(text)).filter(({ id }) => ids.includes(id))
    return [service.url, wanted.map(({ updated }) => updated)] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

/** Compares the copies of the guide's program with the tables. Returns how many records were compared. */
export async function comparePrograms(
  { server, observations, data: { eventIds } }: Scene,
  programs: readonly FeedProgram[],
): Promise<number> {
  let compared = 0
  for (const [index, program] of programs.entries()) {
    const truth = await readTruth(server, eventIds[index] ?? "")
    for (
      const [category, records] of Object.entries(truth) as [Category, readonly RecordCopy[]][]
    ) {
      const { lost, stale, phantom } = compare(program.copyOf(category), records)
      compared += records.length
      if (lost.length + stale.length + phantom.length === 0) continue
      observations.violate(
        `feed.sh, killed ${program.kills} times, has ${lost.length} ${category} of event ${index} lost, ` +
          `${stale.length} outdated and ${phantom.length} that no longer exist`,
      )
    }
  }
  return compared
}

/** Reports a run in which even those lost nothing who do not poll as the guide says. */
export function checkControl({ lostByControl }: Comparison, observations: Observations): void {
  if (lostByControl > 0) return
  observations.violate("partners by the largest updated lost nothing: this run could find no loss")
}

/** The ids of records in which a copy differs from the tables. */
interface Differences {
  /** In the tables only. */
  readonly lost: readonly string[]
  /** In both, with other values. */
  readonly stale: readonly string[]
  /** In the copy only. */
  readonly phantom: readonly string[]
}

/** Compares a copy with the records that it should have. */
export function compare(
  copy: ReadonlyMap<string, RecordCopy>,
  truth: readonly RecordCopy[],
): Differences {
  const ids = new Set(truth.map(({ id }) => id))
  const differs = (record: RecordCopy) => !isDeepStrictEqual(copy.get(record.id), record)
  return {
    lost: truth.filter(({ id }) => !copy.has(id)).map(({ id }) => id),
    stale: truth.filter(({ id }) => copy.has(id)).filter(differs).map(({ id }) => id),
    phantom: [...copy.keys()].filter((id) => !ids.has(id)),
  }
}
