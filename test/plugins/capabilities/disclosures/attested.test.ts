import { createHash } from "node:crypto"
import { sql } from "kysely"
import t from "tap"
import { onEmbedded } from "../../../support/database.ts"
import { startLedger } from "../../../support/ledger.ts"

/** Returns what a partner computes from the digest of its own copy. */
function mineOf(lines: readonly string[]): string {
  return createHash("sha256").update(lines.map((line) => `${line}\n`).join("")).digest("hex")
}

await onEmbedded(t, async (t, engine) => {
  await t.test("GET …/guests/digest compares the client's copy, and a right one is attested", async (t) => {
    const ledger = await startLedger(engine)
    const { database, build, event, request, written, recordOf, rowsOf } = ledger
    const guest = await build.guest(event)
    await build.guest(event)
    await request("guests")
    await written()
    await ledger.remove(guest)
    await database.writer.updateTable("disclosure").set({ first_next: 0 }).execute()
    await ledger.setDeletion({ at: sql`at - 100` })
    const attested = async () => (await recordOf(guest))?.recipients[0]?.attested
    const plain = await request("guests/digest")
    const text = await plain.text()
    t.equal(plain.headers.get("copy"), null)
    const linesOf = (text: string) => {
      const { buckets } = JSON.parse(text) as { buckets: Record<string, { digest: string }> }
      return Object.entries(buckets).map(([name, { digest }]) => `${name} ${digest}`)
    }
    const lines = linesOf(text)

    const fields = plain.headers.get("fields") ?? ""
    t.match(fields, /^[0-9a-f]{8}$/)
    const wrong = await request(
      `guests/digest?mine=${mineOf([...lines, "f 00"])}&fields=${fields}`,
    )
    t.match([wrong.status, wrong.headers.get("copy"), await wrong.text()], [200, "different", text])
    t.equal(await attested(), null)

    const mine = `guests/digest?mine=${mineOf(lines).toUpperCase()}`
    for (const path of [mine, `${mine}&fields=`, `${mine}&fields=0000000a`]) {
      const old = await request(path)
      t.match([old.status, old.headers.get("copy"), await old.text()], [200, "different", text])
    }
    t.equal(await attested(), null, "a copy of other fields attests nothing")

    const right = `${mine}&fields=${fields.toUpperCase()}`
    const ofPart = `bucket=${lines[0]?.split(" ")[0]}`
    const mineOfPart = mineOf(linesOf(await (await request(`guests/digest?${ofPart}`)).text()))
    const part = await request(`guests/digest?${ofPart}&fields=${fields}&mine=${mineOfPart}`)
    t.equal(part.headers.get("copy"), "same")
    t.equal(await attested(), null, "a part of the copy attests nothing")

    const same = await request(right)
    t.match([same.status, same.headers.get("copy"), await same.text()], [200, "same", text])
    t.equal(typeof await attested(), "number")
    const rows = await rowsOf("erasure_notice")
    t.match(rows, [{ kind: "attested" }])
    t.equal(rows.length, 1)
  })

  await t.test("GET …/items/digest compares all categories together", async (t) => {
    const { build, event, request } = await startLedger(engine)
    await build.items("tickets", event, 2)
    await build.items("pledges", event, 2)
    const response = await request("items/digest")
    const fields = response.headers.get("fields")
    const body: Record<string, { buckets: Record<string, { digest: string }> }> = await response
      .json()
    const lines = Object.entries(body).flatMap(([category, { buckets }]) =>
      Object.entries(buckets).map(([bucket, { digest }]) => `${category} ${bucket} ${digest}`)
    )
    t.ok(lines.length > 1)
    const copyOf = async (lines: readonly string[]) =>
      (await request(`items/digest?mine=${mineOf(lines)}&fields=${fields}`)).headers.get("copy")
    t.equal(await copyOf(lines), "same")
    t.equal(await copyOf(lines.toReversed()), "different")
  })

  await t.test("GET …/guests/digest refuses a mine that is no SHA-256, and lists take none", async (t) => {
    const { request } = await startLedger(engine)
    for (const path of ["guests/digest?mine=12", `guests?mine=${"0".repeat(64)}`]) {
      const response = await request(path)
      t.match([response.status, await response.json()], [400, { errors: [{ parameter: "mine" }] }])
    }
  })
})
