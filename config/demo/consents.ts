import type { Platform } from "./platform.ts"
import type { Scene } from "./scene.ts"

/** What an attendee has agreed to: nothing is known if nobody has asked. */
export type Consent = Pick<Platform["attendee"], "asked" | "agreed" | "ways">

const unknown: Consent = { asked: null, agreed: null, ways: null }
const withdrawn: Consent = { asked: 1, agreed: 0, ways: "" }
const notAsked: Consent = { asked: 0, agreed: 0, ways: "" }

const answers: readonly { weight: number; value: Consent }[] = [
  { weight: 20, value: unknown },
  { weight: 10, value: notAsked },
  { weight: 15, value: withdrawn },
  { weight: 20, value: agreeTo("email") },
  { weight: 5, value: agreeTo("sms") },
  { weight: 5, value: agreeTo("post") },
  { weight: 12, value: agreeTo("email,sms") },
  { weight: 5, value: agreeTo("email,post") },
  { weight: 8, value: agreeTo("email,sms,post") },
]

function agreeTo(ways: string): Consent {
  return { asked: 1, agreed: 1, ways }
}

/** Makes an attendee's consent. */
export function makeConsent({ random }: Scene): Consent {
  return random.pickWeighted(answers)
}
