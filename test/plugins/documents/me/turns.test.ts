import { mock } from "node:test"
import { setImmediate } from "node:timers/promises"
import t from "tap"
import { makeTurns } from "../../../../plugins/documents/me/turns.ts"

t.test("pages of an account are made one after the other, with pauses; others do not wait", async (t) => {
  let now = 0
  t.capture(performance, "now", () => now)
  mock.timers.enable({ apis: ["setTimeout"] })
  t.teardown(() => mock.timers.reset())
  const pass = async (milliseconds: number) => {
    now += milliseconds
    mock.timers.tick(milliseconds)
    await setImmediate()
  }
  const inTurn = makeTurns()
  const begun: string[] = []
  const page = (name: string, made: Promise<string>) => () => {
    begun.push(name)
    return made
  }
  const { promise, reject } = Promise.withResolvers<string>()
  const first = inTurn("a", page("first", promise))
  const second = inTurn("a", page("second", Promise.resolve("of a")))
  t.equal(await inTurn("b", page("other", Promise.resolve("of b"))), "of b")
  await pass(100)
  t.strictSame(begun, ["first", "other"])
  reject(new Error("not made"))
  await t.rejects(first, { message: "not made" })
  await pass(299)
  t.strictSame(begun, ["first", "other"], "the pause is three times as long as the page took")
  await pass(1)
  t.strictSame(begun, ["first", "other", "second"], "also after a page that could not be made")
  t.equal(await second, "of a")
})
