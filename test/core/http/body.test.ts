import t from "tap"
import { readForm, readJson, receiveBody } from "../../../core/http/body.ts"
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
  for (
    const bad of [
      "{",
      '{"a":1,"a":1}',
      '{"b":[{"a":"\\":","\\u0061":2}]}',
      '{"__proto__":1,"__proto__":2}',
    ]
  ) {
    await t.rejects(read(bad), { code: "invalid_body", status: 400 }, bad)
  }
  for (const good of ['{"a":{"a":"\\"a\\":"},"b":[{"a":":"},{"a" : 1}]}', '"a"', '["a:",{}]']) {
    t.strictSame(await read(good), JSON.parse(good))
  }
})

t.test("readJson and readForm refuse a body that is compressed, and say so", async (t) => {
  const compressed = (encoding: string, type: string) =>
    new Request("http://localhost/", {
      method: "POST",
      headers: { "content-type": type, "content-encoding": encoding },
      body: type === "application/json" ? "{}" : "a=b",
    })
  const form = "application/x-www-form-urlencoded"
  const refusal = { code: "unsupported_media_type", message: /without Content-Encoding/ }
  await t.rejects(readJson(compressed("gzip", "application/json")), refusal)
  await t.rejects(readForm(compressed("br", form)), refusal)
  t.strictSame(await readJson(compressed("Identity", "application/json")), {})
  t.equal((await readForm(compressed("identity", form))).get("a"), "b")
})

t.test("receiveBody refuses a body that does not arrive in time, is too long or is cut short", async (t) => {
  const post = (start: (stream: ReadableStreamDefaultController) => void) =>
    receiveBody(
      new Request("http://localhost/a", {
        ...{ method: "POST", headers: { "x-y": "z" }, duplex: "half" },
        body: new ReadableStream({ start }),
      } as RequestInit),
      { longest: 3, within: 1 },
    )
  const part = new Uint8Array(2)
  const late = { code: "malformed_request", status: 400, message: /did not arrive in time/ }
  await t.rejects(post((stream) => stream.enqueue(part)), {
    ...late,
    headers: { connection: "close" },
  })
  await t.rejects(post((stream) => [part, part].map((each) => stream.enqueue(each))), {
    code: "body_too_large",
  })
  await t.rejects(post((stream) => stream.error(new Error("gone"))), { code: "invalid_body" })
  const whole = await post((stream) => {
    stream.enqueue(part)
    stream.close()
  })
  t.match([whole.url, whole.method, whole.headers.get("x-y")], ["http://localhost/a", "POST", "z"])
  t.equal((await whole.arrayBuffer()).byteLength, 2)
})

const submit = (body: BodyInit, headers: Record<string, string> = {}, longest?: number) =>
  readForm(new Request("http://localhost/", { method: "POST", headers, body }), longest)

t.test("readForm reads the fields of both kinds of forms, and files", async (t) => {
  const plain = await submit(new URLSearchParams({ name: "a b&c=é", other: "" }))
  t.strictSame([...plain], [["name", "a b&c=é"], ["other", ""]])
  const form = new FormData()
  form.set("name", "é\r\nz")
  form.set("file", new File(["text of a file"], "draft.yaml"))
  const parts = await submit(form)
  t.equal(parts.get("name"), "é\r\nz")
  t.equal(await (parts.get("file") as File).text(), "text of a file")
})

t.test("readForm reads a form of the greatest length, and no longer one", async (t) => {
  const body = `a=${"x".repeat(longestBody - 2)}`
  const headers = { "content-type": "application/x-www-form-urlencoded" }
  t.equal((await submit(body, headers)).get("a"), body.slice(2))
  const tooLarge = { code: "body_too_large", status: 413, headers: { connection: "close" } }
  await t.rejects(submit(`${body}x`, headers), { ...tooLarge, message: /up to 4096 bytes/ })
  t.equal((await submit(`${body}x`, headers, longestBody + 1)).get("a"), `${body.slice(2)}x`)
  const message = /up to 4097 bytes/
  await t.rejects(submit(`${body}xx`, headers, longestBody + 1), { ...tooLarge, message })
})

t.test("readForm takes forms only", async (t) => {
  const cut = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb'
  const rows = {
    "application/json": ["{}", "unsupported_media_type"],
    "text/plain": ["a=b", "unsupported_media_type"],
    "multipart/form-data": ["a=b", "invalid_body"],
    "multipart/form-data; boundary=x": [cut, "invalid_body"],
  } as const
  for (const [type, [body, code]] of Object.entries(rows)) {
    await t.rejects(submit(body, { "content-type": type }), { code }, type)
  }
})
