/** Lets each side run once per round, each round beginning with another. Returns the results in the order of the rounds. */
export async function inTurns<Side, Result>(
  sides: readonly Side[],
  rounds: number,
  run: (side: Side) => Promise<Result>,
): Promise<Map<Side, Result[]>> {
  const results = new Map<Side, Result[]>(sides.map((side) => [side, []]))
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < sides.length; turn++) {
      const side = sides[(round + turn) % sides.length] as Side
      results.get(side)?.push(await run(side))
    }
  }
  return results
}
