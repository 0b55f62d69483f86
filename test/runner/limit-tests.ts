import type { TestBase } from "tap"

/** The time limit of each test, in milliseconds. A test may ask for another by its option `timeout`. */
export const testLimit = 30_000

/**
 * Fails each test inside `t` that takes longer than the limit, by its name, and goes on with the next one. While a test
 * runs others inside it, only theirs is limited. Calls `enter` with the names around and of each test that begins.
 */
export function limitTests(
  t: TestBase,
  enter: (path: readonly string[]) => void,
  around: readonly string[] = [],
): void {
  t.on("subtestStart", (started) => {
    const inner = started as TestBase
    const limit = inner.options.timeout ?? testLimit
    const path = [...around, inner.name]
    enter(path)
    inner.setTimeout(limit)
    inner.on("subtestStart", () => inner.setTimeout(0))
    inner.on("subtestEnd", () => inner.setTimeout(limit))
    limitTests(inner, enter, path)
  })
}
