import { Buffer } from "node:buffer"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import t from "tap"
import { readRows } from "../../../../plugins/capabilities/connect/files.ts"
import { idOf } from "../../../../plugins/capabilities/connect/ids.ts"
import { importFile } from "../../../../plugins/capabilities/connect/import.ts"
import { takeOver } from "../../../../plugins/capabilities/connect/take-over.ts"
import { openSource } from "../../../../plugins/capabilities/connect/sources/open.ts"
import {
  connectedDatabase,
  fillStatements,
  freshPlatform,
  mappingOf,
} from "../../../support/connect/platform.ts"
import { onEmbedded } from "../../../support/database.ts"

const utf16 = (text: string) =>
  new Uint8Array(new Uint16Array([...`\ufeff${text}`].map((each) => each.charCodeAt(0))).buffer)

t.test("readRows reads what spreadsheets write: separators, encodings, quotes and guards", (t) => {
  const folder = t.testdir()
  const read = (content: string | Uint8Array, name = "guests.csv") => {
    writeFileSync(join(folder, name), content)
    return readRows(join(folder, name))
  }
  const expected = { columns: ["id", "Last_Name"], rows: [["1", 'O\'Néill, "A"\nB'], ["2", ""]] }
  t.strictSame(read('\ufeffid,Last_Name\r\n1,"O\'Néill, ""A""\nB"\r\n2,\r\n'), expected)
  t.strictSame(read('id;Last_Name\n1;"O\'Néill, ""A""\nB"\n2;'), expected)
  t.strictSame(read(utf16('id\tLast_Name\n1\t"O\'Néill, ""A""\nB"\n2\t')), expected)
  t.strictSame(
    read(
      Uint8Array.from(
        [...'id;Last_Name\n1;"O\'N\xe9ill, ""A""\nB"\n2;'].map((each) => each.charCodeAt(0)),
      ),
    ),
    expected,
  )
  t.strictSame(read('id,code\n1,="02134"\n2,\'+44 20\n').rows, [["1", "02134"], ["2", "+44 20"]])
  t.strictSame(read('{"id":1,"tags":["a"]}\n\n{"id":2,"price":5}\n', "guests.ndjson"), {
    columns: ["id", "tags", "price"],
    rows: [[1, ["a"], undefined], [2, undefined, 5]],
  })
  t.strictSame(read('{"id":12345678901234567890}', "guests.ndjson").rows, [[
    "12345678901234567890",
  ]])
  t.strictSame(read("id,name\n1\n2,Ada,,\n").rows, [["1"], ["2", "Ada", "", ""]])
  const ada = { columns: ["id", "name"], rows: [["1", "Ada"]] }
  for (const first of ["sep=;\r\n", "\ufeffSEP=;\n", '"sep=;"\n']) {
    t.strictSame(read(`${first}id;name\r\n1;Ada\r\n`), ada, "Excel says first how it separates")
  }
  t.strictSame(read("sep=|\nid|name\n1|Ada\n"), ada)
  t.strictSame(read("id|name\n1|Ada\n"), ada)
  t.throws(() => read("PK\x03\x04 a workbook"), /save it as CSV/)
  t.strictSame(read("id,name\n1,\\N\n").rows, [["1", ""]], "databases write \\N for no value")
  const formatted = { ...ada, rows: [["1", "Ada", "", ""]] }
  t.strictSame(
    read("id;name;;\n1;Ada;;\n;;;\n  \n"),
    formatted,
    "and writes what was once formatted",
  )
  t.strictSame(read(Buffer.from(utf16("id,name\n1,Ada")).swap16()), ada)
  t.strictSame(
    read("id,name\n1,'60s Disco\n2,'t Hooft\n3,''t Hooft\n4,'MAR1\n5,'=1\n").rows.map(([, name]) =>
      name
    ),
    ["'60s Disco", "'t Hooft", "'t Hooft", "MAR1", "=1"],
    "only a guard is taken away",
  )
  t.throws(() => read("id,,\n1,2,"), /row 1 has more cells than there are columns/)
  for (const line of ["null", "[1]", "5"]) {
    t.throws(
      () => read(`{"id":1}\n${line}`, "guests.ndjson"),
      /Line 2 .* is not a JSON object/,
      line,
    )
  }
  t.throws(() => read("id,name\n1,Byron, Ada"), /row 1 has more cells than there are columns/)
  t.strictSame(read('id,name\n1,"C:\\dir\\"\n').rows, [["1", "C:\\dir\\"]])
  t.strictSame(read('id,name,no\n1,12" vinyl,5\n').rows, [["1", '12" vinyl', "5"]])
  for (const cell of ['"open', '"The 12\\""', '"a "b" c"', '"12"" x \\" y"']) {
    t.throws(() => read(`id,name,no\n1,${cell},5\n`), /double the marks in them/, cell)
  }
  t.throws(() => read("id\tname\tno\n1\ta\\\nb\t5\n"), /row 1 ends with a backslash/)
  t.throws(() => read("{", "guests.jsonl"), /Line 1 of the file is not a JSON object/)
  t.end()
})

await onEmbedded(t, async (t, engine) => {
  await t.test("importFile takes what the service exports, and names as people write them", async (t) => {
    const database = await connectedDatabase(t, engine)
    const platform = await freshPlatform(t, engine)
    await platform.run(...fillStatements(1))
    const source = await openSource(platform.url)
    t.teardown(() => source.close())
    await takeOver({ database, source, mapping: mappingOf(platform.url), owner: "a" })
    const folder = t.testdir()
    const imported = async (name: string, content: string) => {
      writeFileSync(join(folder, name), content)
      const { difference } = await importFile({
        ...{
          database,
          kind: "guest",
          eventId: idOf("event", "1"),
          file: readRows(join(folder, name)),
        },
        ...{ rules: { timeZone: "UTC", money: "minor" } },
        ...{ isWhole: false, acceptsDeletions: false, isPreview: false },
      })
      t.match(difference, { refusedCount: 0 })
      return await database.writer.selectFrom("guest").innerJoin("address", "guest_id", "id")
        .select(["first_name", "line1", "recipient_name"]).where("first_name", "=", "Ada").execute()
    }
    const expected = [{ first_name: "Ada", line1: "1 Sea Road", recipient_name: "Ada B" }]
    const address = '{"line1":"1 Sea Road","line2":null,"recipient_name":"Ada B"}'
    const line =
      `{"id":"1","firstName":"Ada","lastName":"B","mainAddress":${address},"giftAidAddress":null}`
    t.match(await imported("guests.ndjson", `${line}\n{"end":{"count":1}}\n`), expected)
    const csv = "id,First Name,last_name,mainAddress.line1,Main Address Recipient Name\n" +
      "1,Ada,B,1 Sea Road,Ada B"
    t.match(await imported("guests.csv", csv), expected)
  })

  await t.test("importFile takes records over beside those of a database, and infers deletions only from whole files", async (t) => {
    const database = await connectedDatabase(t, engine)
    const platform = await freshPlatform(t, engine)
    await platform.run(...fillStatements(40))
    const mapping = mappingOf(platform.url)
    const source = await openSource(platform.url)
    t.teardown(() => source.close())
    const options = { database, source, mapping, owner: "a" }
    await takeOver(options)
    const eventId = idOf("event", "1")
    const importRows = (
      ids: readonly number[],
      more: Partial<Parameters<typeof importFile>[0]> = {},
    ) =>
      importFile({
        ...{ database, kind: "guest", eventId, rules: { timeZone: "UTC", money: "minor" } },
        ...{ isWhole: false, acceptsDeletions: false, isPreview: false },
        file: {
          columns: ["externalId", "first_name", "email"],
          rows: ids.map((
            id,
          ) => [`crm-${id}`, `Charles ${id}`, id === 3 ? "nobody" : "c@example.org"]),
        },
        ...more,
      })
    const count = async () =>
      (await database.writer.selectFrom("guest").select("id").execute()).length
    const all = Array.from({ length: 30 }, (_, index) => index + 1)
    t.match((await importRows(all, { isPreview: true })).difference, { added: 29, refusedCount: 1 })
    t.equal(await count(), 40, "a preview changes nothing")
    t.match((await importRows(all)).difference, {
      added: 29,
      refused: [{ key: "crm-3", reason: "not an e-mail address" }],
    })
    t.match(
      await database.writer.selectFrom("guest").selectAll().where(
        "id",
        "=",
        idOf("guest", `${eventId}/crm-1`),
      )
        .execute(),
      [
        { external_id: "crm-1", first_name: "Charles 1", last_name: "", sms_opt_in: 0 },
      ],
    )
    t.match(await importRows([1, 2]), { removed: 0, difference: { changed: 0, added: 0 } })
    t.match(await importRows([1, 2], { isWhole: true }), {
      removed: 0,
      held: [{ gone: 27, known: 29 }],
    })
    t.equal((await importRows([1, 2], { isWhole: true, acceptsDeletions: true })).removed, 27)
    t.match(
      await takeOver(options),
      { removed: 0, difference: { added: 0, changed: 0 } },
      "they are apart",
    )
    t.equal(await count(), 42)
    const file = { columns: ["id", "firstName"], rows: [["1", "Another 1"]] }
    t.match(await importRows([], { file }), { difference: { added: 1 } })
    t.match(
      await takeOver(options),
      { difference: { changed: 0 } },
      "the same key is not the same guest",
    )
    t.equal(await count(), 43)
    await t.rejects(importRows([1], { eventId: idOf("event", "9") }), /There is no event/)
    await t.rejects(
      importRows([1], { file: { columns: ["id", "firstname", "fistName"], rows: [] } }),
      /unknown column fistName/,
    )
  })
})
