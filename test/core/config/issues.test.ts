import t from "tap"
import * as v from "valibot"
import { check } from "../../../core/config/issues.ts"

t.test("check reports the unknown names of each group, with the nearest known name", (t) => {
  const schema = v.strictObject({
    list: v.array(v.pipe(v.strictObject({ name: v.optional(v.string()) }), v.readonly())),
  })
  const { issues } = check(schema, { list: [{ nam: "a", x: 1 }, {}, { y: 1 }], z: 1 }, ["with"])
  t.strictSame(issues.map(({ path, message, at }) => [path.join("."), message, at]), [
    ["with.list.0.nam", "unknown setting nam: did you mean name?", "name"],
    ["with.list.0.x", "unknown setting x; there are name", "name"],
    ["with.list.2.y", "unknown setting y; there are name", "name"],
    ["with.z", "unknown setting z; there are list", "name"],
  ])
  t.end()
})

t.test("check reports only what valibot does if it cannot tell which names are known", (t) => {
  const schema = v.variant("kind", [
    v.strictObject({ kind: v.literal("a"), x: v.optional(v.number()) }),
    v.strictObject({ kind: v.literal("b") }),
  ])
  t.match(check(schema, { kind: "b", x: 1, y: 2 }, []).issues, [{
    path: ["x"],
    message: "unknown setting x",
  }])
  t.end()
})
