import t from "tap"
import { readJson } from "../../../core/http/body.ts"
import { longestBody } from "../../../core/http/problems.ts"

const read = (body: string, type = "application/json") =>
  readJson(
    new Request("http://localhost/", { method: "POST", headers: { "content-type": type }, body }),
  )

t.test("readJson reads a body of the greatest length, in bytes, and no longer one", async (t) => {
  for (const character of ["x", "é"]) {
    const size = new TextEncoder().encode(character).byteLength
    const longest = JSON.stringify(character.repeat((longestBody - 2) / size))
    t.equal(await read(longest), JSON.parse(longest))
    await t.rejects(read(`${longest} `), {
      code: "body_too_large",
      status: 413,
      headers: { connection: "close" },
    })
  }
})

t.test("readJson takes JSON only, whatever follows its type", async (t) => {
  t.strictSame(await read("{}", "Application/JSON; charset=utf-8"), {})
  await t.rejects(read("{}", "text/json"), { code: "unsupported_media_type", status: 415 })
  await t.rejects(read("{"), { code: "invalid_body", status: 400 })
})
