import { type Config, loadAdditions, type Snapshot } from "../../../core/capability.ts"

/** Nobody wants to be told of a partner's state until a time, in Unix seconds. */
export interface Mute {
  readonly until: number
  /** Why, in an operator's words. */
  readonly because: string
}

/** Reads the mutes that count now, by the account's id. A capability adds it to this one. */
export type ReadMutes = (snapshot: Snapshot) => Promise<ReadonlyMap<string, Mute>>

/** Returns what reads who is muted, if a capability of the configuration does. */
export async function readMutesOf(
  { capabilities }: Pick<Config, "capabilities">,
): Promise<ReadMutes | undefined> {
  const [read] = await loadAdditions(capabilities, "partners")
  return read as ReadMutes | undefined
}
