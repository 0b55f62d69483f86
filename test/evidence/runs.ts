/** The long runs whose last counts are on the page, with what each does. `counts.ts` has the counts. */
export const runs = {
  chaos: "kills, freezes and fills two services and their MySQL while partners poll",
  disclosures: "compares the ledger with every byte that partners got",
  interleavings: "plays every order of writers and a reader in memory",
  model: "visits every state of servers that replicate, the service and a partner",
  simulate: "runs everything together under virtual time, from one seed",
  torture: "kills the client `pull` while a proxy breaks its responses",
  upgrade: "upgrades two services under load, and rolls back",
  walks: "plays random orders of a writer and a reader on the embedded database",
} as const

export type Run = keyof typeof runs
