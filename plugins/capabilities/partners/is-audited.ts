import type { Plan } from "../../../core/capability.ts"

/** Returns true if the configuration has an audit log: errors of partners are read from it. */
export function isAudited({ capabilities }: Pick<Plan, "capabilities">): boolean {
  return capabilities.some(({ capability }) => capability.name === "audit")
}
