import t from "tap"
import { printable, printableLine } from "../../../core/kernel/printable.ts"

t.test("printable shows what a terminal would obey, and keeps lines, letters and the meaning of JSON", (t) => {
  const obeyed = [
    ...Array.from({ length: 32 }, (_, code) => code).filter((code) => code !== 9 && code !== 10),
    ...Array.from({ length: 33 }, (_, code) => 0x7f + code),
    ...[0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069],
  ].map((code) => String.fromCharCode(code))
  for (const character of obeyed) {
    const shown = printable(`a${character}b`)
    t.match(shown, /^a\\u[0-9a-f]{4}b$/)
    t.equal(JSON.parse(printable(JSON.stringify(character))), character)
  }
  const harmless = "Zoë, 山田 – שלום 👩‍👩‍👧\n\ttwo lines"
  t.equal(printable(harmless), harmless)
  t.equal(printableLine("EVN\x1b[2J\nFAKE\tLINE"), "EVN\\u001b[2J\\u000aFAKE\\u0009LINE")
  t.end()
})
