import { randomInt } from "node:crypto"
import type { Participant } from "../../../plugins/capabilities/demonstration/demonstration.ts"
import { ForgetfulPartner, LoggedOutPartner, PingedPartner } from "./partners.ts"
import { Writer } from "./writer.ts"

/** Returns a writer and three partners: one in sync by pings, one that is stuck, one whose session has ended. */
export function participants(): readonly Participant[] {
  return [
    new Writer(randomInt(2 ** 32)),
    new PingedPartner("partner-a"),
    new ForgetfulPartner("partner-b"),
    new LoggedOutPartner("borealis-export"),
  ]
}
