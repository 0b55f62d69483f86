import { isDeepStrictEqual } from "node:util"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { expectedDigest, sha256 } from "../../support/polling/expected-digest.ts"
import type { Scene } from "./stage.ts"
import type { Truth } from "../../support/truth.ts"

/** By the end of its path, how a digest names the bucket of an id. */
const kinds: Readonly<Record<string, (id: string) => string>> = {
  "digest": (id) => id.charAt(0),
  "digest?hash=": (id) => sha256(id).charAt(0),
}

/** Compares the digests that the services return with those of the tables. */
export async function checkDigests(
  { client, cookies, data: { eventIds }, observations, services }: Scene,
  truths: readonly Truth[],
): Promise<void> {
  for (const [index, truth] of truths.entries()) {
    for (const [path, bucketOf] of Object.entries(kinds)) {
      const items = Object.fromEntries(
        itemCategories.map((name) => [name, expectedDigest(truth[name], bucketOf)]),
      )
      const expected = { guests: expectedDigest(truth.guests, bucketOf), items }
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
