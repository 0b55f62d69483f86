import type { Insertable } from "kysely"
import type { Schema } from "../../core/data/schema.ts"
import { weeksBefore } from "./clock.ts"

const stamps = { created: weeksBefore(30), updated: weeksBefore(30) }

/** The organization with the big event. */
export const acme = {
  id: "36f17f3e-8c46-44e0-b785-be013a3f207a",
  slug: "acme",
  name: "Acme Children's Foundation",
  ...stamps,
} satisfies Insertable<Schema["organization"]>

/** The organization without connector A. */
export const borealis = {
  id: "a8748973-7f40-4333-aabd-12f070af75aa",
  slug: "borealis",
  name: "Borealis Sea Rescue",
  ...stamps,
} satisfies Insertable<Schema["organization"]>

/** The two organizations of the demonstration. */
export const organizations = [acme, borealis]
