import * as crypto from "node:crypto"
import t from "tap"
import {
  hashPassword,
  isOutdated,
  methods,
  verifyPassword,
} from "../../../core/access/passwords.ts"
import { UserError } from "../../../core/errors.ts"

const cheap = "$scrypt$ln=4,r=8,p=1"
const cheapArgon2id = "$argon2id$v=19$m=64,t=1,p=1"

/** The methods that this runtime has. */
const present = "argon2" in crypto ? [cheap, cheapArgon2id] : [cheap]

t.test("hashPassword returns a salted hash with its method", async (t) => {
  for (const method of present) {
    const [one, two] = [await hashPassword("secret", method), await hashPassword("secret", method)]
    t.not(one, two)
    t.ok(one.startsWith(`${method}$`))
    t.match(one.slice(method.length), /^\$[\w+/]{22}\$[\w+/]{43}$/)
  }
})

t.test("verifyPassword accepts the password and nothing else", async (t) => {
  for (const method of present) {
    const hash = await hashPassword("café", method)
    t.equal(await verifyPassword("café", hash), true)
    t.equal(await verifyPassword("cafe\u0301", hash), true, "in either form of the accent")
    for (const wrong of ["cafe", "café ", "", "CAFÉ"]) {
      t.equal(await verifyPassword(wrong, hash), false)
    }
  }
})

t.test("verifyPassword accepts what other programs have hashed, and says what to do where it cannot", async (t) => {
  // By the example of libargon2, and by Python's hashlib.
  const argon2id =
    "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
  const scrypt = "$scrypt$ln=10,r=8,p=16$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWI"
  t.equal(await verifyPassword("password", scrypt), true)
  if ("argon2" in crypto) t.equal(await verifyPassword("password", argon2id), true)
  else await t.rejects(verifyPassword("password", argon2id), UserError)
})

t.test("verifyPassword rejects all passwords if there is no valid hash", async (t) => {
  for (const hash of ["", "plain", "$scrypt$ln=4,r=8,p=1$$", "$argon2id$m=64,t=1,p=1$AAAA$AAAA"]) {
    t.equal(await verifyPassword("secret", hash), false)
  }
})

t.test("isOutdated is true for hashes of another kind, and of a lower cost", (t) => {
  const end = "$AAAAAAAAAAAAAAAAAAAAAA$AAAA"
  t.equal(isOutdated(`${methods.scrypt}${end}`, "scrypt"), false)
  t.equal(isOutdated(`$scrypt$ln=17,r=8,p=1${end}`, "scrypt"), false)
  t.equal(isOutdated(`$scrypt$ln=3,r=8,p=1${end}`, "scrypt"), true)
  t.equal(isOutdated(`${methods.scrypt}${end}`, "argon2id"), true)
  t.equal(isOutdated(`${methods.argon2id}${end}`, "argon2id"), false)
  t.equal(isOutdated(`${methods.argon2id}${end}`, "scrypt"), true)
  t.equal(isOutdated(`$argon2id$v=19$m=19456,t=1,p=1${end}`, "argon2id"), true)
  t.end()
})
