import { setTimeout } from "node:timers/promises"
import t from "tap"
import { RefusalLog } from "../../../core/http/refusal-log.ts"

function fresh(options: ConstructorParameters<typeof RefusalLog>[1] = {}) {
  const lines: object[] = []
  const silent = () => {}
  const info = (fields: object, message: string) => void lines.push({ ...fields, message })
  const log = { debug: silent, info, warn: silent, error: silent }
  return { lines, log: new RefusalLog(log, { window: 3_600_000, ...options }) }
}

t.test("write logs the first lines of each network, and flush the number of the others", async (t) => {
  const { lines, log } = fresh({ perAddress: 2, inAll: 100 })
  for (let n = 0; n < 5; n++) log.write({ address: "192.0.2.1", code: "not_found", n }, "request")
  for (let n = 0; n < 3; n++) {
    log.write({ address: `2001:db8::${n}`, code: "unauthenticated", n }, "request")
  }
  t.match(lines, [
    ...[0, 1].map((n) => ({ address: "192.0.2.1", code: "not_found", n, message: "request" })),
    ...[0, 1].map((n) => ({ address: `2001:db8::${n}`, code: "unauthenticated" })),
  ])
  t.equal(lines.length, 4)
  lines.length = 0
  log.flush()
  t.strictSame(lines, [{
    requests: 4,
    codes: { not_found: 3, unauthenticated: 1 },
    message: "more requests were refused",
  }])
  lines.length = 0
  log.flush()
  t.strictSame(lines, [], "nothing was left out since")
  log.write({ address: "192.0.2.1", code: "not_found" }, "request")
  t.equal(lines.length, 1, "it has begun anew")
})

t.test("write logs only so many lines of all networks together", async (t) => {
  const { lines, log } = fresh({ perAddress: 2, inAll: 3 })
  for (let n = 0; n < 100; n++) log.write({ address: `192.0.2.${n}`, code: "not_found" }, "request")
  t.equal(lines.length, 3)
  log.flush()
  t.match(lines[3], { requests: 97 })
  log.write({ address: "192.0.2.1", code: "not_found" }, "request")
  t.match(lines[4], { address: "192.0.2.1" }, "it has begun anew")
})

t.test("flush runs by itself at the end of each window", async (t) => {
  const { lines, log } = fresh({ perAddress: 1, window: 5 })
  for (const _ of ["first", "second"]) {
    lines.length = 0
    for (let n = 0; n < 3; n++) log.write({ address: "192.0.2.1", code: "not_found" }, "request")
    while (lines.length < 2) await setTimeout(5)
    t.match(lines, [{ address: "192.0.2.1" }, { requests: 2 }])
  }
})
