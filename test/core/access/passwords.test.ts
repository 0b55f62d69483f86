import process from "node:process"
import t from "tap"
import { hashPassword, verifyPassword } from "../../../core/access/passwords.ts"

const cheap = { ln: 4, r: 8, p: 1 }

t.test("hashPassword returns a salted hash with its cost", async (t) => {
  const [one, two] = [await hashPassword("secret", cheap), await hashPassword("secret", cheap)]
  t.not(one, two)
  t.match(one, /^\$scrypt\$ln=4,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
})

t.test("verifyPassword accepts the password and nothing else", async (t) => {
  const hash = await hashPassword("café", cheap)
  t.equal(await verifyPassword("café", hash), true)
  t.equal(await verifyPassword("cafe\u0301", hash), true, "in either form of the accent")
  for (const wrong of ["cafe", "café ", "", "CAFÉ"]) {
    t.equal(await verifyPassword(wrong, hash), false)
  }
})

t.test("verifyPassword rejects all passwords if there is no valid hash", async (t) => {
  for (const hash of ["", "plain", "$scrypt$ln=4,r=8,p=1$$"]) {
    t.equal(await verifyPassword("secret", hash), false)
  }
})

t.test("verifyPassword rejects all passwords if there is no account, and does the full work", async (t) => {
  const { cpuUsage } = process
  const work = async (hash: string | undefined) => {
    const before = cpuUsage()
    t.equal(await verifyPassword("secret", hash), false)
    return cpuUsage(before).user
  }
  const hash = await hashPassword("other")
  t.match(hash, /^\$scrypt\$ln=14,r=8,p=5\$/)
  const [known, unknown] = [await work(hash), await work(undefined)]
  t.ok(unknown > known / 3, `${unknown} of ${known} microseconds`)
})
