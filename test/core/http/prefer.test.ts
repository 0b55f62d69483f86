import t from "tap"
import { readPreferences } from "../../../core/http/prefer.ts"

const cases: Record<string, Record<string, string>> = {
  "": {},
  "wait=50": { wait: "50" },
  "WAIT = 50": { wait: "50" },
  "wait=10, return=representation": { wait: "10", return: "representation" },
  "respond-async, wait=10; strict=1": { "respond-async": "", wait: "10" },
  "wait=1, wait=2": { wait: "1" },
  'a="b, c; d=\\"e\\"", f': { a: 'b, c; d="e"', f: "" },
  'foo=""; some-parameter': { foo: "" },
  ", ,wait=1,": { wait: "1" },
  'wait="1': {},
  "wait=1 2, a": { a: "" },
  "=1, (x), é, a": { a: "" },
}

t.test("readPreferences reads each preference once, of several fields, and ignores those that are too long", (t) => {
  for (const [header, expected] of Object.entries(cases)) {
    const found = readPreferences(new Headers({ prefer: header }))
    t.strictSame(Object.fromEntries(found), expected, header)
  }
  const headers = new Headers()
  t.equal(readPreferences(headers).size, 0)
  headers.append("prefer", "wait=1")
  headers.append("prefer", "return=minimal")
  t.strictSame([...readPreferences(headers)], [["wait", "1"], ["return", "minimal"]])
  t.equal(readPreferences(new Headers({ prefer: `wait=1, a${" ".repeat(1000)}b` })).size, 0)
  t.end()
})
