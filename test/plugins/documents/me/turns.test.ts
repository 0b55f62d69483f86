import { setTimeout } from "node:timers/promises"
import t from "tap"
import { makeTurns } from "../../../../plugins/documents/me/turns.ts"

t.test("pages of an account are made one after the other, with pauses; others do not wait", async (t) => {
  const inTurn = makeTurns()
  const said: string[] = []
  const times: number[] = []
  const page = (name: string) => async () => {
    said.push(`${name} begins`)
    times.push(performance.now())
    await setTimeout(20)
    times.push(performance.now())
    said.push(`${name} ends`)
    if (name === "first") throw new Error("not made")
    return name
  }
  const first = inTurn("a", page("first"))
  const second = inTurn("a", page("second"))
  await t.rejects(first, { message: "not made" })
  t.equal(await inTurn("b", page("other")), "other")
  t.equal(await second, "second", "also after a page that could not be made")
  t.ok(said.indexOf("first ends") < said.indexOf("second begins"), said.join())
  t.ok(said.indexOf("other begins") < said.indexOf("second begins"), said.join())
  const [began = 0, ended = 0] = times
  const secondBegan = times[said.indexOf("second begins")] ?? 0
  t.ok(secondBegan - ended >= 2.5 * (ended - began), times.join())
})
