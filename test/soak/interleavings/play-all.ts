import { interleavings } from "./plan.ts"
import type { Stage } from "./stage.ts"

/** An interleaving in which a reader loses a record. */
export interface Loss {
  readonly index: number
  readonly problem: string
  /** A table of the steps. */
  readonly table: string
}

/** Has no factor in common with the number of interleavings, so that its multiples are all of them. */
const stride = 1009

/**
 * Plays interleavings on several stages at the same time, until the first loss. Mixes them: neighbours begin
 * alike. Returns also how many were played, at most `most`, `after` so many others.
 */
export async function playAll(
  stages: readonly Stage[],
  isFiltered: boolean,
  { most, after }: { readonly most: number; readonly after: number },
): Promise<{ readonly played: number; readonly loss: Loss | undefined }> {
  let played = 0
  const losses: (Loss & { readonly place: number })[] = []
  await Promise.all(stages.map(async (stage) => {
    while (played < most && losses.length === 0) {
      const place = played++
      const index = (after + place) * stride % interleavings
      const { problem, table } = await playWithoutWait(stage, index, isFiltered)
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
  index: number,
  isFiltered: boolean,
): ReturnType<Stage["play"]> {
  for (let left = 5;; left--) {
    const played = await stage.play(index, isFiltered)
    if (left === 0 || !/Lock wait timeout/.test(played.problem ?? "")) return played
  }
}
