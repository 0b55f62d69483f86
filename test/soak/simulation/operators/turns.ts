/** Lets one of several operators work at a time: `work`, or nothing if another one works. */
export type InTurn = (work: () => Promise<string>) => Promise<string>

/** Makes turns. */
export function makeTurns(): InTurn {
  let isBusy = false
  return async (work) => {
    if (isBusy) return "another operator is at it"
    isBusy = true
    try {
      return await work()
    } finally {
      isBusy = false
    }
  }
}
