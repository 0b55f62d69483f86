import { copyOf, type Difference } from "../../support/partner/copy.ts"
import { digestKinds, isOtherDigest } from "../../support/partner/digest.ts"
import { listOf } from "../../support/partner/rows.ts"
import { readTruth, type Records, recordsOf } from "../../support/truth.ts"
import type { Crowd } from "./crowd.ts"
import type { Observations } from "./observations.ts"
import { describePartner, expectedRecords } from "./partners.ts"
import type { Scene } from "./stage.ts"

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
  { partners }: Pick<Crowd, "partners">,
): Promise<Comparison> {
  const { server, observations, data: { eventIds } } = stage
  const truths = [
    await readTruth(server, eventIds[0]),
    await readTruth(server, eventIds[1]),
  ] as const
  let compared = 0
  let lostByControl = 0
  for (const { partner, poller } of partners) {
    const expected = expectedRecords(partner, truths[partner.event])
    const found = poller.copy.differences(expected)
    if (partner.kind.keeps === "max(updated)") {
      lostByControl += found.filter(({ kind }) => kind !== "phantom").length
      continue
    }
    compared += expected.size
    tell(observations, `the copy of ${describePartner(partner)}`, found)
  }
  for (const [index, truth] of truths.entries()) {
    await checkDigests(stage, eventIds[index] ?? "", recordsOf(truth, "/acme/v1"))
  }
  return { compared, lostByControl }
}

/** Compares the digests that the services return with those of the tables. */
async function checkDigests(
  { client, cookies, observations, services }: Scene,
  event: string,
  records: Records,
): Promise<void> {
  const rows = [...copyOf(records)]
  for (const list of ["guests", "items"] as const) {
    const own = rows.flatMap(([key, row]) => listOf(key) === list ? [row] : [])
    for (const kind of [digestKinds.ids, digestKinds.hashes]) {
      for (const service of services) {
        const path = `/acme/v1/events/${event}/${list}/digest?${kind.query}`
        const cookie = cookies["acme-export"] ?? ""
        const reply = await client.get(path, { service, cookie })
        if (!isOtherDigest(own, { list, kind, reply })) continue
        observations.violate(`the digest ${kind.query} of ${list} differs from the tables`)
      }
    }
  }
}

/** Reports what is wrong in a copy. */
function tell(observations: Observations, name: string, found: readonly Difference[]): void {
  if (found.length === 0) return
  const count = (wanted: Difference["kind"]) => found.filter(({ kind }) => kind === wanted).length
  const examples = found.slice(0, 2).map(({ text }) => text).join("; ")
  observations.violate(
    `${name} has ${count("lost")} records lost, ${count("stale")} outdated and ` +
      `${count("phantom")} that no longer exist: ${examples}`,
  )
}
