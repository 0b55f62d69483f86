import t from "tap"
import { columnsOf, kinds } from "../../../../plugins/capabilities/connect/kinds.ts"
import {
  readValue,
  Refused,
  type SourceValue,
} from "../../../../plugins/capabilities/connect/values.ts"

const columns = new Map(kinds.flatMap(columnsOf).map((column) => [column.name, column]))

/** Reads a value of a column, in pounds and in London; "refused: …" if it cannot be taken over. */
function read(name: string, value: SourceValue): string | number | null {
  const column = columns.get(name)
  if (!column) throw new Error(`There is no column ${name}.`)
  try {
    return readValue(value, column, { timeZone: "Europe/London", money: "major", decimals: 2 })
  } catch (error) {
    if (error instanceof Refused) return `refused: ${error.reason}`
    throw error
  }
}

t.test("readValue reads lists as JSON, arrays of Postgres and words between separators", (t) => {
  const lists: readonly (readonly [SourceValue, readonly string[]])[] = [
    ["travel, sea", ["travel", "sea"]],
    ["travel;sea|sun\nsnow", ["travel", "sea", "sun", "snow"]],
    ["\x01travel\x01sea\x01", ["travel", "sea"]],
    ['"Food, drink", sea', ["Food, drink", "sea"]],
    ['12" vinyl, sea', ['12" vinyl', "sea"]],
    ['["travel","sea",5,null,""]', ["travel", "sea", "5"]],
    ['"[\\"travel\\",\\"sea\\"]"', ["travel", "sea"]],
    [["travel", "sea"], ["travel", "sea"]],
    ['{"Food, drink",travel;sea,NULL,"NULL","a\\"b","c\\\\d"," e "}', [
      ...["Food, drink", "travel;sea", "NULL", 'a"b', "c\\d", " e "],
    ]],
    ["{}", []],
    ["[]", []],
    ["null", []],
    [" ", []],
  ]
  for (const [value, words] of lists) t.equal(read("categories", value), JSON.stringify(words))
  const others: readonly SourceValue[] = [
    ...['{"travel":true,"sea":false}', '{"0":"travel"}', { travel: true }, "{{a,b},{c,d}}"],
    ...['[{"name":"travel"}]', '[["travel"]]', [{ name: "travel" }], "[travel]"],
    ...['a:1:{i:0;s:6:"travel";}', "---\n- travel\n- sea\n"],
  ]
  for (const value of others) {
    t.equal(read("categories", value), "refused: not a list", JSON.stringify(value))
  }
  t.end()
})

t.test("readValue takes no channel from a list that says yes or no to each", (t) => {
  t.equal(read("consentChannels", "Email; direct mail"), "Email,direct mail")
  t.equal(read("consentChannels", "{email,sms}"), "email,sms")
  const answers: readonly SourceValue[] = [
    ...['{"email":true,"sms":false}', { email: true, sms: false }, "email=1,sms=0", "sms: no"],
    ...['[{"channel":"sms","optIn":false}]', 'a:2:{s:5:"email";b:1;s:3:"sms";b:0;}'],
  ]
  for (const value of answers) {
    t.equal(read("consentChannels", value), "refused: not a list", JSON.stringify(value))
  }
  t.end()
})
