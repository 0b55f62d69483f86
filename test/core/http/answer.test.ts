import { buffer } from "node:stream/consumers"
import t from "tap"
import { fromResponse, toResponse } from "../../../core/http/answer.ts"

const mebibyte = 1024 * 1024

t.test("fromResponse and toResponse keep status, headers, each cookie and the body", async (t) => {
  const headers = new Headers({ "content-type": "text/plain", "content-length": "4" })
  headers.append("set-cookie", "one=1; Path=/")
  headers.append("set-cookie", "two=2; Path=/")
  const answer = await fromResponse(new Response("body", { status: 201, headers }))
  t.match(answer, {
    status: 201,
    headers: { "content-type": "text/plain", "set-cookie": ["one=1; Path=/", "two=2; Path=/"] },
  })
  const response = toResponse(answer)
  t.equal(response.status, 201)
  t.strictSame(response.headers.getSetCookie(), ["one=1; Path=/", "two=2; Path=/"])
  t.equal(await response.text(), "body")
})

t.test("fromResponse reads a body of known length up to a mebibyte, and leaves any other a stream", async (t) => {
  const bodyOf = async (length: number, headers: Record<string, string>) => {
    const { body } = await fromResponse(new Response(new Uint8Array(length), { headers }))
    if (body instanceof Uint8Array) return `${body.byteLength} bytes`
    return body && `a stream of ${(await buffer(body as never)).byteLength} bytes`
  }
  const withLength = (length: number) => bodyOf(length, { "content-length": String(length) })
  t.equal(await withLength(mebibyte), `${mebibyte} bytes`)
  t.equal(await withLength(mebibyte + 1), `a stream of ${mebibyte + 1} bytes`)
  t.equal(await bodyOf(5, {}), "a stream of 5 bytes")
  t.equal((await fromResponse(new Response(null, { status: 204 }))).body, null)
})
