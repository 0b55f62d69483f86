import { scryptSync } from "node:crypto"
import t from "tap"
import { deriveInThread, scryptThreads } from "../../../core/access/scrypt-threads.ts"

const good = { password: "p", salt: new Uint8Array(16), length: 32, options: { N: 2, r: 1, p: 1 } }
/** What scrypt rejects: its cost is no power of two. */
const bad = { ...good, options: { N: 3 } }

t.test("deriveInThread rejects what scrypt rejects, and its threads are replaced", async (t) => {
  const expected = scryptSync(good.password, good.salt, good.length, good.options)
  for (let turn = 0; turn < 3; turn++) {
    const all = Array.from({ length: scryptThreads + 2 }, () => [good, bad]).flat()
    const outcomes = await Promise.allSettled(all.map(deriveInThread))
    for (const [index, outcome] of outcomes.entries()) {
      if (all[index] === bad) {
        t.match(outcome, { reason: { code: "ERR_CRYPTO_INVALID_SCRYPT_PARAMS" } })
      } else t.match(outcome, { value: new Uint8Array(expected) })
    }
  }
})
