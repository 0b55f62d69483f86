import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { capabilityNames } from "../../../../core/config/installed.ts"
import { freshApp } from "../../../support/app.ts"
import { capabilitySets } from "../../../support/capability-sets.ts"

/** The headings and texts that capabilities add to the page of an account. Those that are not here add none. */
const added: Readonly<Record<string, readonly string[]>> = {
  partners: ['id="state"', 'id="lists"', 'id="errors"', "Your polls, walks, records and errors"],
  audit: ['id="requests"', "Each request for a list, and each log-in"],
  sessions: ['id="tokens"', "Your sessions and tokens"],
  ping: ['id="pings"', "You have registered none."],
  disclosures: ["Which records you were sent"],
}
const own = ['id="quota"', 'id="copy"', 'id="seen"']

for (const on of capabilitySets(capabilityNames())) {
  const name = on.join(", ") || "no capability"
  await t.test(`with ${name}, the page of an account has what is its own and theirs`, (t) =>
    compare(t, on))
}

async function compare(t: Test, on: readonly string[]): Promise<void> {
  const { build, logIn } = await freshApp(t, "sqlite", { capabilities: on })
  const event = await build.event(await build.organization("acme"))
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })
  const get = await logIn("acme-export")
  await (await get(`/acme/v1/events/${event}/guests`)).text()
  const show = async () => {
    const response = await get("/docs/me", { headers: { accept: "text/html" } })
    t.equal(response.status, 200)
    return await response.text()
  }
  let text = await show()
  // What has been requested is recorded in the background.
  while (on.includes("partners") && !text.includes("You are in sync")) {
    await setTimeout(50)
    text = await show()
  }
  for (const part of own) t.match(text, part)
  for (const [name, parts] of Object.entries(added)) {
    for (const part of parts) t.equal(text.includes(part), on.includes(name), `${name}: ${part}`)
  }
  const contents = [...text.matchAll(/<li><a href="#([a-z]+)">/g)].map(([, id]) => id)
  t.strictSame(contents, [...text.matchAll(/<h2 id="([a-z]+)">/g)].map(([, id]) => id))
  const posted = await get("/docs/me/tokens", { method: "POST" })
  t.equal(posted.status, on.includes("sessions") ? 415 : 404)
}
