import t from "tap"
import { freshDatabase, onEmbedded } from "../support/database.ts"
import { demoPlatform } from "../support/demo-platform.ts"

await onEmbedded(t, async (t, engine) => {
  const { platform } = await demoPlatform(t, engine, await freshDatabase(t, engine))

  await t.test("the demonstration has fictitious guests, with reserved e-mail domains and names in many scripts", async (t) => {
    const people = await platform.selectFrom("person").selectAll().execute()
    const email = /^[a-z0-9._-]+@example\.(com|org)$/
    t.same(people.filter(({ mail }) => !email.test(mail)), [])
    t.same(people.filter(({ phone }) => !/^\+\d{8,15}$/.test(phone)), [])
    const names = people.map(({ forename, surname }) => forename + surname).join("")
    for (const script of ["Latin", "Cyrillic", "Greek", "Hebrew", "Arabic", "Thai", "Han"]) {
      t.match(names, new RegExp(`\\p{Script=${script}}`, "u"), script)
    }
    const addresses = await platform.selectFrom("residence").select("country").execute()
    const countries = new Set(addresses.map(({ country }) => country))
    t.ok(countries.size >= 20)
    for (const country of countries) t.match(country, /^[A-Z]{2}$/)
  })
})
