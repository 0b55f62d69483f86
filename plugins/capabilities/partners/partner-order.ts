import type { Snapshot } from "../../../core/capability.ts"
import { isWrong, worstFirst } from "./definitions.ts"
import type { HealthOptions, PartnerHealth } from "./partner-health.ts"

/** Adds who is muted, and sorts again. */
export async function withMutes(
  snapshot: Snapshot,
  partners: readonly PartnerHealth[],
  { readMutes }: HealthOptions,
): Promise<readonly PartnerHealth[]> {
  const mutes = await readMutes?.(snapshot)
  if (!mutes || mutes.size === 0) return partners
  return partners.map((each) => ({ ...each, muted: mutes.get(each.accountId) ?? null }))
    .sort(comparePartners)
}

/** Sorts partners: the worst first, muted ones after those that are wrong. */
export function comparePartners(a: PartnerHealth, b: PartnerHealth): number {
  const rank = worstFirst.indexOf(a.state) - worstFirst.indexOf(b.state)
  return groupOf(a) - groupOf(b) || rank || compareWithin(a, b)
}

/** Those that are wrong come first, then those that are wrong and muted, then the others. */
function groupOf({ state, muted }: PartnerHealth): number {
  if (!isWrong(state)) return 2
  return muted ? 1 : 0
}

/** Within a state, those that have been in it for longest come first: if that is known. */
function compareWithin(a: PartnerHealth, b: PartnerHealth): number {
  return (a.since ?? 0) - (b.since ?? 0) || (a.account < b.account ? -1 : 1)
}
