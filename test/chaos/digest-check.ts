import { createHash } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { itemCategories } from "../../core/records/kinds/items.ts"
import type { RecordCopy } from "../support/polling/reader.ts"
import type { Stage } from "./stage.ts"
import type { Truth } from "./truth.ts"

/** Compares the digests that the services return with those of the tables. */
export async function checkDigests(
  { client, cookies, data: { eventIds }, observations, services }: Stage,
  truths: readonly Truth[],
): Promise<void> {
  for (const [index, truth] of truths.entries()) {
    const items = Object.fromEntries(itemCategories.map((name) => [name, digestOf(truth[name])]))
    const expected = { guests: digestOf(truth.guests), items }
    for (const service of services) {
      for (const list of ["guests", "items"] as const) {
        const { text } = await client.get(`/acme/v1/events/${eventIds[index]}/${list}/digest`, {
          service,
          cookie: cookies["acme-export"] ?? "",
        })
        if (!isDeepStrictEqual(JSON.parse(text), expected[list])) {
          observations.violate(`the digest of ${list} differs from the tables`)
        }
      }
    }
  }
}

/** The digest of some records as the guide defines it, in buckets by the first digit of their ids. */
function digestOf(records: readonly RecordCopy[]) {
  const lines = records.map(({ id, updated }) => `${id} ${updated}\n`).sort()
  const buckets = Object.entries(Object.groupBy(lines, (line) => line.charAt(0)))
  return {
    count: records.length,
    buckets: Object.fromEntries(buckets.map(([name, lines = []]) => {
      const digest = createHash("sha256").update(lines.join("")).digest("hex")
      return [name, { count: lines.length, digest }]
    })),
  }
}
