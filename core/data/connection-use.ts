/** How busy the connections for reading are. */
export interface ConnectionNumbers {
  /** Connections, at most. */
  readonly most: number
  readonly used: number
  /** Snapshots that have asked for a connection and have none yet, or whose transaction begins. */
  readonly waiting: number
  /** Snapshots, since the start, that found all connections in use. */
  readonly waits: number
}

/** Counts what `ConnectionNumbers` tells. */
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

  /** Somebody asks for a connection: call `got` when it is there, and `end` in any case. */
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
