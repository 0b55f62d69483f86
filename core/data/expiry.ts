import { Overtime, translateError } from "./unavailable.ts"

/** A time limit of a read. */
export class Expiry {
  readonly #controller = new AbortController()
  readonly #timer: ReturnType<typeof setTimeout>
  readonly #passed: Promise<never>

  constructor(milliseconds: number) {
    const { promise, reject } = Promise.withResolvers<never>()
    this.#passed = promise
    this.#timer = setTimeout(() => {
      const reason = new Overtime(`The database took longer than ${milliseconds} ms.`)
      this.#controller.abort(reason)
      reject(reason)
    }, milliseconds)
  }

  /** Aborts past the limit. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Rejects past the limit: waiting for a free connection takes no signal. Ends the limit. */
  async bound<T>(working: Promise<T>): Promise<T> {
    try {
      return await Promise.race([working, this.#passed])
    } catch (error) {
      throw translateError(error)
    } finally {
      clearTimeout(this.#timer)
    }
  }
}
