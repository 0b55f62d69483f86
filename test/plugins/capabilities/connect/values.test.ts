import { Buffer } from "node:buffer"
import t from "tap"
import { columnsOf, kinds } from "../../../../plugins/capabilities/connect/kinds.ts"
import {
  decimalsOf,
  readValue,
  RowRefusal,
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
    if (error instanceof RowRefusal) return `refused: ${error.reason}`
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
    ["Food [vegan], -", ["Food [vegan]", "-"]],
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

t.test("readValue takes currencies of ISO 4217, and names of the IANA time zone database", (t) => {
  t.equal(read("currency", "gbp "), "GBP")
  for (const value of ["£", "12"]) {
    t.equal(read("currency", value), "refused: not a currency", value)
  }
  const zones = ["Europe/London", "Asia/Kolkata", "US/Eastern", "Etc/GMT+1", "UTC", "CET", "GB"]
  for (const zone of zones) t.equal(read("timezone", zone), zone)
  t.equal(read("timezone", " europe/london"), "Europe/London")
  // Some runtimes take it for the time of Bangladesh.
  const others = ["BST", "IST", "PST", "+01:00", "-0500", "SystemV/AST4", "GMT Standard Time"]
  for (const zone of others) t.equal(read("timezone", zone), "refused: not a time zone", zone)
  t.end()
})

t.test("decimalsOf gives the decimals of ISO 4217, whatever the runtime shows of an amount", (t) => {
  const decimals: Readonly<Record<string, number>> = {
    ...{ GBP: 2, JPY: 0, KWD: 3, HUF: 2, IDR: 2, COP: 2, RSD: 2, PKR: 2, LBP: 2, ISK: 0 },
    ...{ IQD: 3, UGX: 0, CLF: 4, MGA: 2, AFN: 2, XOF: 0, gbp: 2 },
  }
  for (const [currency, expected] of Object.entries(decimals)) {
    t.equal(decimalsOf(currency), expected, currency)
  }
  t.end()
})

t.test("readValue takes whole and broken Unix seconds, no other numbers for times, and the times of no day", (t) => {
  t.equal(read("starts", 1_793_000_000), 1_793_000_000)
  t.equal(read("starts", "1793000000.750000"), 1_793_000_000)
  t.equal(read("starts", 1_793_000_000.75), 1_793_000_000)
  // A day, a day of a spreadsheet, a Julian day, a year.
  for (const value of ["20261130", 46356, "2461375.5", "2026", -1]) {
    t.equal(read("starts", value), "refused: too small for Unix seconds", String(value))
  }
  t.match(read("starts", 1_793_000_000_000), /refused: later than the year 9999/)
  const none = [
    0,
    0n,
    "0",
    "0.000000",
    "0000-00-00 00:00:00",
    "0001-01-01 00:00:00",
    "0001-01-01T00:00:00Z",
  ]
  for (const value of none) {
    t.equal(read("closes", value), null, String(value))
    t.equal(read("starts", value), "refused: empty", String(value))
  }
  t.end()
})

t.test("readValue reads amounts that a binary fraction is close to, and flags that are written as fractions", (t) => {
  t.equal(read("price", 0.1 + 0.2), 30)
  t.equal(read("price", 19.99 * 3), 5997)
  t.equal(read("taxRate", 17.499999999999996), 17.5)
  t.equal(read("quantity", 19.99 * 100), 1999)
  t.equal(read("quantity", 9_007_199_254_740_991), 9_007_199_254_740_991)
  t.equal(read("quantity", 1.5), "refused: not a whole number")
  t.equal(read("price", 19.999), "refused: too precise")
  t.equal(read("price", "19.990000000000002"), "refused: too precise")
  t.equal(read("price", 90_071_992_547_409), 9_007_199_254_740_900)
  for (const value of ["1.0", 1, "1.00"]) t.equal(read("smsOptIn", value), 1)
  t.equal(read("smsOptIn", "0.0"), 0)
  t.equal(read("consentStatus", "1.0"), "active")
  t.equal(read("consentStatus", "0.0"), "inactive")
  t.equal(read("consentStatus", "10"), "inactive")
  t.end()
})

t.test("readValue rounds no number within JSON", (t) => {
  t.equal(
    read("extra", '{"ticket":12345678901234567890,"row":7,"share":0.5}'),
    '{"ticket":"12345678901234567890","row":7,"share":0.5}',
  )
  t.equal(read("categories", "[12345678901234567890]"), '["12345678901234567890"]')
  t.equal(
    read("increments", '[{"from":0,"step":90071992547409930}]'),
    "refused: not a whole number",
  )
  t.end()
})

t.test("readValue takes bytes for text only if they are UTF-8", (t) => {
  t.equal(read("firstName", Buffer.from("Müller\0\0")), "Müller")
  t.equal(read("firstName", Buffer.from("M\xfcller", "latin1")), "refused: not text in UTF-8")
  t.end()
})
