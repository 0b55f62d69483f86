/** How busy the connections for reading are. */
export interface ConnectionNumbers {
  /** Upper bound for the connections. */
  readonly most: number
  readonly used: number
  /** Reads that wait for a connection, or for their transaction to begin. */
  readonly waiting: number
  /** Reads since the start that found all connections in use. */
  readonly waits: number
}

/** Keeps the counts of `ConnectionNumbers`. */
export class ConnectionUse {
  readonly #most: number
  #used = 0
  #waiting = 0
  #waits = 0

  constructor(most: number) {
    this.#most = most
  }

  get numbers(): ConnectionNumbers {
    return { most: this.#most, used: this.#used, waiting: this.#waiting, waits: this.#waits }
  }

  /** Counts a wait for a connection. Call `got` once the connection is there, and `end` in any case. */
  ask(): { got(): void; end(): void } {
    if (this.#used + this.#waiting >= this.#most) this.#waits++
    this.#waiting++
    let has = false
    return {
      got: () => {
        has = true
        this.#waiting--
        this.#used++
      },
      end: () => {
        if (has) this.#used--
        else this.#waiting--
      },
    }
  }
}
