/** The filters that families of the tests may have. */
export const filterNames = ["all", "consented", "email", "sms"] as const
export type FilterName = (typeof filterNames)[number]

/** A guest's consent as the tables have it; null without one. */
export interface ConsentRow {
  readonly status: string | null
  readonly channels: string | null
}

/** Says by its row whether a filter lets a guest through: not by what the service makes of a filter. */
export function passes(filter: FilterName, { status, channels }: ConsentRow): boolean {
  if (filter === "all") return true
  if (status !== "active") return false
  const names = (channels ?? "").split(",").map((name) => name.trim().toLowerCase())
  return filter === "consented" || names.includes(filter)
}
