import t from "tap"
import { readOwnForm, tokenOf } from "../../../plugins/design/form.ts"

const session = { id: "a session" }
const token = tokenOf(session)

/** Returns a form as a browser sends it. */
function formOf(
  fields: readonly (readonly [name: string, value: string | Blob])[],
  headers: Readonly<Record<string, string>> = {},
): Request {
  const body = new FormData()
  for (const [name, value] of fields) body.append(name, value)
  return new Request("https://export.example/console/accounts", { method: "POST", body, headers })
}

t.test("readOwnForm reads forms of its own pages, and of programs", async (t) => {
  const own: readonly Record<string, string>[] = [
    {},
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "same-origin", origin: "null" },
    { origin: "https://export.example" },
    // A proxy may end TLS, and keep the name of the host.
    { origin: "http://export.example", host: "export.example" },
  ]
  for (const headers of own) {
    const form = await readOwnForm(formOf([["token", token], ["name", "n8n"]], headers), session)
    t.equal(form.get("name"), "n8n", JSON.stringify(headers))
  }
})

t.test("readOwnForm refuses forms of other sites, also without a session", async (t) => {
  const others: readonly Record<string, string>[] = [
    { "sec-fetch-site": "cross-site", origin: "https://export.example" },
    { "sec-fetch-site": "same-site" },
    { origin: "https://elsewhere.example" },
    { origin: "null" },
  ]
  for (const headers of others) {
    for (const by of [session, undefined]) {
      const reading = readOwnForm(formOf([["token", token]], headers), by)
      await t.rejects(reading, { code: "invalid_body" }, JSON.stringify(headers))
    }
  }
})

t.test("readOwnForm refuses a form with the token of another session, and with none", async (t) => {
  for (const wrong of ["", `${token}x`, tokenOf({ id: "another" })]) {
    await t.rejects(readOwnForm(formOf([["token", wrong]]), session), { code: "invalid_body" })
  }
})

t.test("readOwnForm refuses a form with two texts of one name", async (t) => {
  const form = formOf([["name", "one"], ["name", "other"]])
  await t.rejects(readOwnForm(form, undefined), { code: "invalid_body", message: /twice/ })
})

t.test("readOwnForm refuses a form with two files of one name", async (t) => {
  for (const [one, other] of [["one", "other"], ["one", ""], ["", "other"]]) {
    const form = formOf([["text", new Blob([one ?? ""])], ["text", new Blob([other ?? ""])]])
    await t.rejects(readOwnForm(form, undefined), { code: "invalid_body", message: /twice/ })
  }
})

t.test("readOwnForm takes the text of a file, unless that is empty", async (t) => {
  const read = async (file: string) => {
    const form = formOf([["text", "typed"], ["text", new Blob([file])]])
    return (await readOwnForm(form, undefined)).get("text")
  }
  t.equal(await read("of a file"), "of a file")
  t.equal(await read(""), "typed")
})
