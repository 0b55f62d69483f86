import type { Builder } from "./builder.ts"

/** Texts that a form of rows may damage: formulas, separators, line breaks of all kinds, numbers with leading zeros, dates. */
export const trickyTexts = [
  "=1+1",
  "'=1",
  "@sum(a1:a9)",
  "-2+3",
  " +44 20",
  'say "a,b"',
  "two\nlines\r\n",
  "#end,count=0",
  "007",
  "2026-01-02",
  "",
  "Zoë 🎟",
  "null",
  "[1, 2]",
  "li\u2028nes\u2029of\u0085text \\u2028",
]

/** Inserts guests and items of an event, whose texts are all tricky. Some have everything, some nothing. */
export async function insertTricky(build: Builder, event: string): Promise<void> {
  for (const [index, text] of trickyTexts.entries()) {
    const other = trickyTexts[(index + 5) % trickyTexts.length] as string
    const guest = await build.guest(event, {
      first_name: text,
      last_name: other,
      email: `${text.length}@example.org`,
      mobile: text,
      company_name: index % 2 === 0 ? null : text,
      external_id: other,
      sms_opt_in: index % 2,
    })
    if (index % 3 === 0) await build.consent(event, guest, { channels: "email,sms" })
    if (index % 2 === 0) {
      await build.address(event, guest, { town: text, line1: other, line2: text })
      await build.address(event, guest, { kind: "gift_aid", recipient_name: text })
    }
  }
  const texts = { name: "=lot", external_id: "007", description: 'a "b", c\nd', categories: "[]" }
  await build.item("buyNows", event, { ...texts, quantity: 3, tax_rate: 17.125 })
  await build.item("auctionItems", event, {
    ...texts,
    categories: JSON.stringify(["art", "=wine"]),
    increments: JSON.stringify([{ from: 0, step: 500 }, { from: 10_000, step: 1000 }]),
    closes: 1_800_000_000,
  })
  await build.item("pledges", event, texts)
  await build.item("tickets", event, { ...texts, capacity: null })
  await build.item("tickets", event, { name: "Table" })
}
