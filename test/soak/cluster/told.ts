import { type Copy, copyOf } from "../../support/partner/copy.ts"
import { digestOfCopy } from "../../support/partner/digest.ts"
import { type List, listOf } from "../../support/partner/rows.ts"
import { readTruth } from "../../support/truth.ts"
import type { PlayedPartner } from "../chaos/crowd.ts"
import { describePartner, expectedRecords, listsOf } from "../chaos/partners.ts"
import type { Scene } from "../chaos/stage.ts"

/**
 * Lets each partner compare its copy with the service, by digest: `Copy` must say whether it has what the tables have.
 * Those whose copies differ read everything again.
 */
export async function tellPartners(
  scene: Scene,
  partners: readonly PlayedPartner[],
): Promise<void> {
  const { client, cookies, data: { eventIds }, observations, server } = scene
  for (const { partner, poller } of partners) {
    if (partner.kind.keeps !== "Next-Since") continue
    const eventId = eventIds[partner.event]
    const expected = expectedRecords(partner, await readTruth(server, eventId))
    for (const list of listsOf(partner)) {
      const mine = digestOf(poller.copy, list)
      const path = `/acme/v1/events/${eventId}/${list}/digest`
      const cookie = { cookie: cookies["acme-export"] ?? "" }
      const fields = (await client.get(path, cookie)).headers.get("fields")
      const { headers } = await client.get(`${path}?mine=${mine}&fields=${fields}`, cookie)
      const isSameList = mine === digestOf(copyOf(expected), list)
      const answer = headers.get("copy")
      if (answer !== (isSameList ? "same" : "different")) {
        observations.violate(`the copy of ${describePartner(partner)} was called ${answer}`)
      }
    }
    if (poller.copy.differences(expected).length > 0) await poller.readAgain()
  }
}

function digestOf(copy: Copy, list: List): string {
  return digestOfCopy([...copy].flatMap(([key, row]) => listOf(key) === list ? [row] : []), list)
}
