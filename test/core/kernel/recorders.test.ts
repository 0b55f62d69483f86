import { setTimeout } from "node:timers/promises"
import t from "tap"
import { Unavailable } from "../../../core/data/unavailable.ts"
import { type DropCounts, Recorders } from "../../../core/kernel/recorders.ts"

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const times = { patience: 1, longestPause: 1, closing: 0, every: 1 }
const away = () => Promise.reject(new Unavailable("away"))

const vital = { "no batch": [false, false], "the first": [true, false], "the last": [false, true] }
for (const [name, [first, last]] of Object.entries(vital)) {
  for (const isRequired of [false, true]) {
    t.test(`state tells that entries are delayed if ${name} is vital, and ${isRequired ? "" : "does not "}refuse`, async (t) => {
      const recorders = new Recorders(log, new Map(), times)
      t.equal(recorders.assertRecording, undefined)
      const of = (isVital = false) => isVital && isRequired ? "required" : isVital
      const batches = [
        recorders.batch<number>(away, { name: "first", vital: of(first) }),
        recorders.batch<number>(last ? away : () => Promise.resolve(), {
          name: "last",
          vital: of(last),
        }),
      ]
      for (const batch of batches) batch.add(1)
      while ((recorders.numbers["first"]?.age ?? 0) <= 10) await setTimeout(1)
      const isDelayed = Boolean(first || last)
      t.equal(recorders.state, isDelayed ? "delayed" : "ok")
      t.equal(recorders.isRefusing, isDelayed && isRequired)
      if (isDelayed && isRequired) {
        t.throws(() => recorders.assertRecording?.(), { code: "unavailable" })
      } else t.equal(recorders.assertRecording, undefined)
      await recorders.close()
    })
  }
}

t.test("numbers count what is dropped by a name over all configurations, which close drops at the end", async (t) => {
  const drops: DropCounts = new Map()
  for (const dropped of [1, 2]) {
    const recorders = new Recorders(log, drops, times)
    recorders.batch<number>(away, { name: "audit" }).add(1)
    await recorders.close()
    t.match(recorders.numbers, { audit: { waiting: 0, dropped } })
  }
})
