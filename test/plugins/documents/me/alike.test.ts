import { setTimeout } from "node:timers/promises"
import t from "tap"
import { freshApp } from "../../../support/app.ts"
import { fieldIn } from "../../../support/browse.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { post, sectionOf, show, shown } from "../../../support/own-page.ts"

await onEveryEngine(t, async (t, engine) => {
  const { build, logIn } = await freshApp(t, engine)
  const acme = await build.organization("acme")
  const event = await build.event(acme)

  await t.test("GET /docs/me shows nothing of accounts with names that are alike", async (t) => {
    const names = ["alike", "alike2", "ALIKE", "al%ke", "alik_"]
    const all = []
    for (const [index, name] of names.entries()) {
      const id = await build.account(name)
      const get = await logIn(name)
      const own = await build.event(acme, { name: `Party ${index}.` })
      await build.grant(name, { event: own })
      // Each has an error at an event of the others, a token and a list of its own.
      const token = await post(get, "tokens", {
        ...{ name: `token ${index}.`, days: "1" },
        token: fieldIn(await show(get), "token"),
      })
      t.equal(token.status, 201, name)
      await (await get(`/connector-b/v1/events/${own}/guests?since=-1`)).text()
      const { headers } = await get(`/connector-b/v1/events/${event}/guests?offset=${index}`)
      const words = [headers.get("x-request-id") ?? "", `token ${index}.`, `Party ${index}.`]
      all.push({ name, id, get, words, own })
    }
    for (const { name, id, get, words } of all) {
      const [request = ""] = words
      while (!sectionOf(await shown(get, request), "lists").includes("Party ")) await setTimeout(20)
      const text = await show(get)
      t.match(sectionOf(text, "seen"), "Valid now: 2", "the session and the token")
      for (const word of words) t.ok(text.includes(word), `${name}: ${word}`)
      const foreign = all.filter((other) => other.id !== id)
        .flatMap((other) => [...other.words, other.own, other.id])
      t.strictSame(foreign.filter((word) => text.includes(word)), [], name)
    }
  })
})
