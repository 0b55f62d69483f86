import type { Platform } from "./platform.ts"

/** The organization with the big event. */
export const acme: Platform["charity"] = {
  id: 1,
  uuid: "36f17f3e-8c46-44e0-b785-be013a3f207a",
  short_name: "acme",
  title: "Acme Children's Foundation",
}

/** The organization without connector A. */
export const borealis: Platform["charity"] = {
  id: 2,
  uuid: "a8748973-7f40-4333-aabd-12f070af75aa",
  short_name: "borealis",
  title: "Borealis Sea Rescue",
}

/** The two organizations of the demonstration. */
export const organizations = [acme, borealis]
