import { compare } from "../chaos/comparison.ts"
import type { PlayedPartner } from "../chaos/crowd.ts"
import { describePartner, expectedCopy, type Partner } from "../chaos/partners.ts"
import type { Scene } from "../chaos/stage.ts"
import { readTruth } from "../../support/truth.ts"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { expectedDigest, sha256 } from "../../support/polling/expected-digest.ts"
import type { RecordCopy } from "../../support/polling/reader.ts"

/** What partners learnt after commits were lost. */
export interface Told {
  /** Partners whose copies had such commits, and who were told by a digest. They have read everything again. */
  readonly told: number
  /** Partners whose copies differ only in fields that digests do not cover. They have read everything again, too. */
  readonly beyond: number
}

/**
 * Lets each partner compare its copy with the service, by digest: `Copy` must say whether it has what the tables have.
 * Those whose copies differ read everything again.
 */
export async function tellPartners(
  scene: Scene,
  partners: readonly PlayedPartner[],
): Promise<Told> {
  const { client, cookies, data: { eventIds }, observations, server } = scene
  let [told, beyond] = [0, 0]
  for (const { partner, poller } of partners) {
    if (partner.kind.keeps !== "Next-Since") continue
    const eventId = eventIds[partner.event]
    const truth = await readTruth(server, eventId)
    const expected = expectedCopy(partner, truth)
    const categories = new Map(poller.categories)
    for (const category of itemCategories) {
      for (const { id } of truth[category]) categories.set(id, category)
    }
    let isSame = true
    for (const list of listsOf(partner)) {
      const digest = (records: readonly RecordCopy[]) => digestOf(list, records, categories)
      const mine = digest([...poller.copy.values()])
      const path = `/acme/v1/events/${eventId}/${list}/digest`
      const cookie = { cookie: cookies["acme-export"] ?? "" }
      const fields = (await client.get(path, cookie)).headers.get("fields")
      const { headers } = await client.get(`${path}?mine=${mine}&fields=${fields}`, cookie)
      const isSameList = mine === digest(expected)
      const answer = headers.get("copy")
      if (answer !== (isSameList ? "same" : "different")) {
        observations.violate(`the copy of ${describePartner(partner)} was called ${answer}`)
      }
      isSame &&= isSameList
    }
    const { lost, stale, phantom } = compare(poller.copy, expected)
    if (lost.length + stale.length + phantom.length === 0) continue
    if (isSame) beyond++
    else told++
    await poller.readAgain()
  }
  return { told, beyond }
}

/** The lists whose records a partner has. */
function listsOf({ family, list }: Partner): readonly ("guests" | "items")[] {
  if (list !== "changes") return [list]
  return family === "/connector-a/v1" ? ["guests"] : ["guests", "items"]
}

/** Computes the digest of a list in a copy, as the guide says. */
function digestOf(
  list: "guests" | "items",
  records: readonly RecordCopy[],
  categories: ReadonlyMap<string, string>,
): string {
  const names = list === "guests" ? ["guests"] : itemCategories
  const lines = names.flatMap((name) => {
    const own = records.filter(({ id }) => (categories.get(id) ?? "guests") === name)
    const { buckets } = expectedDigest(own, (id) => id.charAt(0))
    return Object.entries(buckets).sort(([a], [b]) => a < b ? -1 : 1).map(([bucket, { digest }]) =>
      list === "guests" ? `${bucket} ${digest}` : `${name} ${bucket} ${digest}`
    )
  })
  return sha256(lines.map((line) => `${line}\n`).join(""))
}
