import converter from "openapi-to-postmanv2"
import t from "tap"
import { password } from "../../support/builder.ts"
import { runCollection } from "./collection-run.ts"
import type { Json } from "../../../plugins/documents/openapi/schemas.ts"
import { openStage } from "./stage.ts"

t.test("a Postman collection that is imported from the document runs through, for each account", async (t) => {
  const { cookie, usual } = await openStage(t, "sqlite")
  for (const [username, least] of [["partner", 16], ["north-export", 20]] as const) {
    const session = await cookie(username)
    const headers = { cookie: session }
    const document = await (await fetch(`${usual.url}/openapi.json`, { headers })).text()
    const variables = {
      username,
      password,
      // Ends with the collection: the one of the log-in stays.
      bearerToken: session.slice(session.indexOf("=") + 1),
    }
    const { requests, failed } = await runCollection(await importDocument(document), variables)
    t.strictSame(failed, [])
    t.ok(requests.length >= least, `${requests.length} requests`)
    t.match(requests[0], { name: "Log in", status: 200, text: /"token"/ })
    const announced = /"code":"not_available"/
    const refused = requests.filter(({ name, status, text }) =>
      status >= 300 && !announced.test(text) && !needsItsId.includes(name)
    )
    t.strictSame(refused, [], username)
    t.equal(requests.filter(({ text }) => announced.test(text)).length, 1)
    const guests = requests.filter(({ name }) => name === "Guests")
    for (const { text, path } of guests) t.ok(JSON.parse(text).length > 0, path)
  }
})

/** What the example of the document cannot name. */
const needsItsId = [
  "Revoke a token",
  "Remove a receiver of pings",
  "Challenge a receiver",
  "Replace a receiver's secret",
]

/** Imports a document as Postman does with "Parameter generation: Example". */
function importDocument(data: string): Promise<Json> {
  return new Promise((resolve, reject) => {
    const options = { parametersResolution: "Example" }
    converter.convertV2({ type: "string", data }, options as never, (error, found) => {
      const [collection] = found?.output ?? []
      if (error || !collection) return reject(error ?? new Error("the document is not valid"))
      resolve(collection.data as unknown as Json)
    })
  })
}
