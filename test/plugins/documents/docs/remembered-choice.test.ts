import t from "tap"
import { choiceOf, rememberChoice } from "../../../../plugins/documents/docs/remembered-choice.ts"

const path = "/acme/v1/events/1"
const asked = (url: string, cookie = "") => new Request(url, { headers: { cookie } })
const setBy = (origin: string) =>
  rememberChoice(asked(`${origin}/docs?event=${path}`))["set-cookie"] ?? ""

t.test("by https, a choice is in a cookie that no other host of the domain can set", (t) => {
  const cookie = setBy("https://export.example.org")
  t.equal(
    cookie,
    `__Host-event_export_example=${path}; Path=/; Secure; SameSite=Strict; HttpOnly`,
  )
  const [remembered = ""] = cookie.split(";")
  t.equal(choiceOf(asked("https://export.example.org/docs", remembered)), path)
  const planted = remembered.replace("__Host-", "")
  t.equal(choiceOf(asked("https://export.example.org/docs", planted)), null)
  t.end()
})

t.test("by http on loopback, browsers take the cookie without a prefix only", (t) => {
  const cookie = setBy("http://127.0.0.1:8080")
  t.equal(cookie, `event_export_example=${path}; Path=/docs; SameSite=Strict; HttpOnly`)
  const [remembered = ""] = cookie.split(";")
  t.equal(choiceOf(asked("http://127.0.0.1:8080/docs", remembered)), path)
  t.end()
})
