import type { Insertable } from "kysely"
import type { Schema } from "../../core/data/schema.ts"
import type { Guest } from "./guest-row.ts"
import type { Scene } from "./scene.ts"

type Answer = Pick<Schema["consent"], "asked" | "status" | "channels">

const withdrawn: Answer = { asked: 1, status: "inactive", channels: "" }
const notAsked: Answer = { asked: 0, status: "inactive", channels: "" }

const answers: readonly { weight: number; value: Answer | undefined }[] = [
  { weight: 20, value: undefined },
  { weight: 10, value: notAsked },
  { weight: 15, value: withdrawn },
  { weight: 20, value: agreeTo("email") },
  { weight: 5, value: agreeTo("sms") },
  { weight: 5, value: agreeTo("post") },
  { weight: 12, value: agreeTo("email,sms") },
  { weight: 5, value: agreeTo("email,post") },
  { weight: 8, value: agreeTo("email,sms,post") },
]

function agreeTo(channels: string): Answer {
  return { asked: 1, status: "active", channels }
}

/** Makes a guest's consent record; returns undefined if the guest has none. */
export function consentOf(
  { random }: Scene,
  { row }: { readonly row: Pick<Guest["row"], "event_id" | "id"> },
): Insertable<Schema["consent"]> | undefined {
  const answer = random.pickWeighted(answers)
  return answer && { event_id: row.event_id, guest_id: row.id, ...answer }
}
