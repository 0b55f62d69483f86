import { worstFirst } from "./definitions.ts"
import type { PartnerHealth } from "./partner-health.ts"

/** Compares partners: worst first. */
export function comparePartners(a: PartnerHealth, b: PartnerHealth): number {
  const rank = worstFirst.indexOf(a.state) - worstFirst.indexOf(b.state)
  return rank || compareWithin(a, b)
}

/** Within a state, those that have been in it longest come first, if that is known. */
function compareWithin(a: PartnerHealth, b: PartnerHealth): number {
  return (a.since ?? 0) - (b.since ?? 0) || (a.account < b.account ? -1 : 1)
}
