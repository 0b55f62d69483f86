import type { MysqlDesign } from "./design.ts"
import { mysqlDesigns } from "./designs.ts"
import { interleavings } from "./plan.ts"
import type { Stage } from "./stage.ts"

/** An interleaving in which a design loses a record. */
export interface Loss {
  readonly index: number
  readonly problem: string
  /** A table of the steps. */
  readonly table: string
}

/** Returns a design by its name. @throws {RangeError} for an unknown one; the message lists all. */
export function findDesign(name: string): MysqlDesign {
  const design = mysqlDesigns[name]
  if (!design) throw new RangeError(`no design "${name}": ${Object.keys(mysqlDesigns).join("; ")}`)
  return design
}

/** Has no factor in common with the number of interleavings, so that its multiples are all of them. */
const stride = 1009

/**
 * Plays the interleavings of a design on several stages at the same time, until the first loss. Mixes
 * them: neighbours begin alike. Returns also how many were played, at most `most`, `after` so many others.
 */
export async function playAll(
  stages: readonly Stage[],
  design: MysqlDesign,
  { most = interleavings, after = 0 }: { readonly most?: number; readonly after?: number } = {},
): Promise<{ readonly played: number; readonly loss: Loss | undefined }> {
  let played = 0
  const losses: (Loss & { readonly place: number })[] = []
  await Promise.all(stages.map(async (stage) => {
    while (played < most && losses.length === 0) {
      const place = played++
      const index = (after + place) * stride % interleavings
      const { problem, table } = await playWithoutWait(stage, design, index)
      if (problem !== undefined) losses.push({ place, index, problem, table: table() })
    }
  }))
  // Another stage may have been at an earlier one when the first loss was found.
  return { played, loss: losses.toSorted((a, b) => a.place - b.place)[0] }
}

/**
 * Plays an interleaving, and if one writer waits for the other, plays it again. They change different records,
 * but may still meet in a gap of an index: where a record lies there depends on its random id.
 */
async function playWithoutWait(
  stage: Stage,
  design: MysqlDesign,
  index: number,
): ReturnType<Stage["play"]> {
  for (let left = 5;; left--) {
    const played = await stage.play(design, index)
    if (left === 0 || !/Lock wait timeout/.test(played.problem ?? "")) return played
  }
}
