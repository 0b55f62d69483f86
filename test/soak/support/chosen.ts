import process from "node:process"

/** Seconds that a soak lasts, from SOAK_SECONDS. */
export function secondsOf(usual: number): number {
  return Number(process.env["SOAK_SECONDS"] ?? usual)
}

/** The seed of a soak, from SEED. */
export const seed = Number(process.env["SEED"] ?? 1)

/** Returns the faults that FAULTS names, separated by commas; without it, all. @throws if it names another one; the message lists all. */
export function chosenFaults<T extends { readonly name: string; readonly summary: string }>(
  all: readonly T[],
): readonly T[] {
  const names = process.env["FAULTS"]?.split(",").map((name) => name.trim())
  const unknown = names?.find((name) => !all.some((fault) => fault.name === name))
  if (unknown !== undefined) {
    const list = all.map(({ name, summary }) => `  ${name.padEnd(18)} ${summary}`).join("\n")
    throw new Error(`There is no fault ${unknown}. These are:\n${list}`)
  }
  return names ? all.filter(({ name }) => names.includes(name)) : all
}
