import fc from "fast-check"
import t from "tap"
import { EntityTags, matchesEtag } from "../../../core/http/etag.ts"

t.test("EntityTags: tags are equal where bytes and secret are, and nowhere else", (t) => {
  const [ours, same, others] = ["one secret", "one secret", "another"].map((secret) =>
    new EntityTags([secret])
  ) as [EntityTags, EntityTags, EntityTags]
  const bytes = fc.uint8Array({ maxLength: 100 })
  fc.assert(fc.property(bytes, bytes, fc.nat(), (one, other, at) => {
    const tag = ours.of(one)
    const equal = one.length === other.length && one.every((byte, index) => byte === other[index])
    const changed = one.map((byte, index) => index === at % one.length ? byte ^ 1 : byte)
    return /^"[\w-]{43}"$/.test(tag) && matchesEtag(tag, tag) &&
      tag === same.of(one.slice()) && tag !== others.of(one) &&
      (tag === ours.of(other)) === equal &&
      (one.length === 0 || tag !== ours.of(changed)) &&
      tag !== ours.of(new Uint8Array([...one, 0]))
  }))
  t.pass()
  t.end()
})
