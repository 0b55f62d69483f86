import { createHash } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { itemCategories } from "../../core/records/kinds/items.ts"
import type { RecordCopy } from "../support/polling/reader.ts"
import type { Stage } from "./stage.ts"
import type { Truth } from "./truth.ts"

/** By the end of its path, how a digest names the bucket of an id. */
const kinds: Readonly<Record<string, (id: string) => string>> = {
  "digest": (id) => id.charAt(0),
  "digest?hash=": (id) => sha256(id).charAt(0),
}

/** Compares the digests that the services return with those of the tables. */
export async function checkDigests(
  { client, cookies, data: { eventIds }, observations, services }: Stage,
  truths: readonly Truth[],
): Promise<void> {
  for (const [index, truth] of truths.entries()) {
    for (const [path, bucketOf] of Object.entries(kinds)) {
      const items = Object.fromEntries(
        itemCategories.map((name) => [name, digestOf(truth[name], bucketOf)]),
      )
      const expected = { guests: digestOf(truth.guests, bucketOf), items }
      for (const service of services) {
        for (const list of ["guests", "items"] as const) {
          const { text } = await client.get(`/acme/v1/events/${eventIds[index]}/${list}/${path}`, {
            service,
            cookie: cookies["acme-export"] ?? "",
          })
          if (!isDeepStrictEqual(JSON.parse(text), expected[list])) {
            observations.violate(`the ${path} of ${list} differs from the tables`)
          }
        }
      }
    }
  }
}

/** The digest of some records as the guide defines it, in buckets of one digit. */
function digestOf(records: readonly RecordCopy[], bucketOf: (id: string) => string) {
  const lines = records.map(({ id, updated }) => `${id} ${updated}\n`).sort()
  const buckets = Object.entries(
    Object.groupBy(lines, (line) => bucketOf(line.slice(0, line.indexOf(" ")))),
  )
  return {
    count: records.length,
    buckets: Object.fromEntries(buckets.map(([name, lines = []]) => {
      return [name, { count: lines.length, digest: sha256(lines.join("")) }]
    })),
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}
