import fc from "fast-check"
import t from "tap"
import { Unavailable } from "../../../core/data/unavailable.ts"
import { writeAround } from "../../../core/data/write-around.ts"

interface Item {
  readonly id: number
  readonly kind: "good" | "refused" | "odd"
}

const errors = {
  refused: Object.assign(new Error("too long"), { sqlState: "22001" }),
  odd: new Error("never heard of it"),
}

const kinds = fc.array(fc.constantFrom<Item["kind"]>("good", "good", "good", "refused", "odd"))
const outage = fc.option(fc.record({
  after: fc.nat(20),
  error: fc.constantFrom(new Unavailable("away"), new Error("INSERT command denied")),
}))

t.test("writeAround loses no item that the database takes, and writes none twice, whatever fails", async () => {
  await fc.assert(fc.asyncProperty(kinds, outage, async (kinds, outage) => {
    const items = kinds.map((kind, id): Item => ({ id, kind }))
    const written: Item[] = []
    let writes = 0
    const { left, failure, refusals } = await writeAround(items, async (part) => {
      if (outage && writes++ >= outage.after) throw outage.error
      for (const kind of ["odd", "refused"] as const) {
        if (part.some((item) => item.kind === kind)) throw errors[kind]
      }
      written.push(...part)
    })
    const settled = new Set([...written, ...left])
    if (settled.size !== written.length + left.length) throw new Error("an item is there twice")
    const lost = items.filter((item) => !settled.has(item))
    if (lost.some(({ kind }) => kind === "good")) throw new Error("a good item is lost")
    if (lost.length !== refusals.length) throw new Error("a lost item is not reported")
    if (left.length > 0 && failure === undefined) throw new Error("the reason is not told")
    for (const list of [written, left]) {
      if (list.some(({ id }, index) => id < (list[index - 1]?.id ?? 0))) throw new Error("order")
    }
  }))
})

t.test("writeAround drops an odd item once others are written after it, and keeps it until then", async (t) => {
  const items = (["odd", "good", "odd"] as const).map((kind, id): Item => ({ id, kind }))
  const write = async (part: readonly Item[]) => {
    if (part.some(({ kind }) => kind === "odd")) throw errors.odd
  }
  const { left, refusals } = await writeAround(items, write)
  t.strictSame(left, [items[2]])
  t.strictSame(refusals, [errors.odd])
})

t.test("writeAround finds two odd items in a row by what is written after them, and no third", async (t) => {
  const outcome = async (kinds: readonly Item["kind"][]) => {
    const items = kinds.map((kind, id): Item => ({ id, kind }))
    const { left, refusals } = await writeAround(items, async (part) => {
      if (part.some(({ kind }) => kind === "odd")) throw errors.odd
    })
    return [left.length, refusals.length]
  }
  t.strictSame(await outcome(["odd", "odd", "good"]), [0, 2])
  t.strictSame(await outcome(["odd", "odd", "odd", "good"]), [4, 0])
})

t.test("writeAround stops at the first statement that the database cannot run now", async (t) => {
  let writes = 0
  const items = Array.from({ length: 200 }, (_, id): Item => ({ id, kind: "good" }))
  const { left, failure } = await writeAround(items, () => {
    writes++
    return Promise.reject(new Unavailable("away"))
  })
  t.strictSame(left, items)
  t.match(failure, { message: "away" })
  t.equal(writes, 1)
})

t.test("writeAround gives up after a few statements if every item fails", async (t) => {
  let writes = 0
  const items = Array.from({ length: 200 }, (_, id): Item => ({ id, kind: "odd" }))
  const { left } = await writeAround(items, () => {
    writes++
    return Promise.reject(errors.odd)
  })
  t.strictSame(left, items)
  t.ok(writes < 20, `${writes}`)
})
