import { availableParallelism, loadavg } from "node:os"
import type { TestBase } from "tap"

// A test may replace them, for its own time, before tap tells the end of the one before.
const { clearTimeout, setTimeout } = globalThis

/** How many times as long a test may take on a machine that is busy with other things. */
const longest = 10

/**
 * Fails each test inside `t` that takes longer than its limit, by its name, and goes on with the next one. While a test
 * runs others inside it, only theirs is limited. A test may ask for a limit by its option `timeout`. Calls `enter` with
 * the names around and of each test that begins; it returns the limit in milliseconds of a test that asks for none.
 */
export function limitTests(
  t: TestBase,
  enter: (path: readonly string[]) => number | undefined,
  around: readonly string[] = [],
): void {
  // A test may begin before tap tells the end of the one before.
  const running = new Map<unknown, Limit>()
  t.on("subtestEnd", (ended) => {
    running.get(ended)?.stop()
    running.delete(ended)
  })
  t.on("subtestStart", (started) => {
    const inner = started as TestBase
    const path = [...around, inner.name]
    const usual = enter(path)
    const limit = new Limit(inner, inner.options.timeout ?? usual)
    inner.setTimeout(0)
    running.set(inner, limit)
    inner.on("subtestStart", () => limit.stop())
    inner.on("subtestEnd", () => limit.start())
    limitTests(inner, enter, path)
  })
}

/** The time limit of one test. */
class Limit {
  readonly #test: TestBase
  readonly #milliseconds: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(test: TestBase, milliseconds: number | undefined) {
    this.#test = test
    this.#milliseconds = milliseconds
    this.start()
  }

  start(times = 1): void {
    this.stop()
    if (this.#milliseconds === undefined) return
    this.#timer = setTimeout(() => {
      if (isBusy() && times < longest) this.start(times + 1)
      else this.#test.timeout()
    }, this.#milliseconds)
    this.#timer.unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

/** True if more than twice as much wants to run as these tests alone. */
function isBusy(): boolean {
  return (loadavg()[0] ?? 0) > availableParallelism() * 3
}
