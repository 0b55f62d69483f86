import t from "tap"
import * as v from "valibot"
import { check } from "../../../core/config/issues.ts"

t.test("check reports the unknown names of each group, with the nearest known name", (t) => {
  const schema = v.strictObject({
    list: v.array(v.pipe(v.strictObject({ name: v.optional(v.string()) }), v.readonly())),
  })
  const { issues } = check(schema, { list: [{ nam: "a", x: 1 }, {}, { y: 1 }], z: 1 }, ["plugins"])
  t.strictSame(issues.map(({ path, message, at }) => [path.join("."), message, at]), [
    ["plugins.list.0.nam", "unknown setting nam: did you mean name?", "name"],
    ["plugins.list.0.x", "unknown setting x; there are name", "name"],
    ["plugins.list.2.y", "unknown setting y; there are name", "name"],
    ["plugins.z", "unknown setting z; there are list", "name"],
  ])
  t.end()
})

t.test("check reports only what valibot does if it cannot tell which names are known", (t) => {
  const schema = v.variant("kind", [
    v.strictObject({ kind: v.literal("a"), x: v.optional(v.number()) }),
    v.strictObject({ kind: v.literal("b") }),
  ])
  t.match(check(schema, { kind: "b", x: 1, y: 2 }, ["plugins"]).issues, [{
    path: ["plugins", "x"],
    message: "unknown setting x",
  }])
  t.end()
})

t.test("check says how a list is written, with what stands in its place unless it may be a secret", (t) => {
  const schema = v.strictObject({ names: v.array(v.string()) })
  const messageOf = (names: unknown) => check(schema, { names }, []).issues[0]?.message
  t.equal(messageOf("acme"), "names must be a list, such as [acme]")
  t.equal(messageOf("mysql://u:hunter2@h"), "names must be a list")
  t.equal(messageOf(7), "names must be a list")
  t.end()
})

t.test("check shows an unknown name only where it can be no part of the database's password", (t) => {
  const schema = v.strictObject({
    database: v.strictObject({ url: v.optional(v.string()) }),
    server: v.strictObject({ host: v.optional(v.string()) }),
  })
  const value = { database: { uri: 1, hunter2: 1 }, server: { hots: 1, hunter2: 1 }, hunter2: 1 }
  t.strictSame(check(schema, value, []).issues.map(({ message }) => message), [
    "unknown setting: did you mean url?",
    "unknown setting; there are url",
    "unknown setting hots: did you mean host?",
    "unknown setting; there are host",
    "unknown setting; there are database, server",
  ])
  const inPlugin = v.strictObject({ a: v.optional(v.picklist(["b"])), c: v.optional(v.number()) })
  const issuesOf = (value: unknown) =>
    check(inPlugin, value, ["plugins", 0, "with"]).issues.map(({ message }) => message)
  t.strictSame(issuesOf({ "mysql://u:hunter2@h": 1 }), ["unknown setting; there are a, c"])
  t.strictSame(issuesOf({ a: "mysql://u:hunter2@h" }), ['a must be "b"'])
  t.strictSame(issuesOf({ a: "d" }), ['a must be "b", not "d"'])
  t.strictSame(issuesOf({ c: true }), ["c must be number, not true"])
  t.end()
})
