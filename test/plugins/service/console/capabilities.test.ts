import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { capabilityNames } from "../../../../core/config/installed.ts"
import { type App, freshApp } from "../../../support/app.ts"
import { show, shown } from "../../../support/own-page.ts"

/** What a capability adds to the pages for people. */
interface Added {
  /** Its entries in the navigation. */
  readonly entries?: readonly string[]
  /** Its pages, below `/console`. */
  readonly pages?: readonly string[]
  /** Texts in pages that it adds to, by their paths below `/console`. */
  readonly sections?: Readonly<Record<string, string>>
  /** Texts in the page of an account about itself. */
  readonly own?: readonly string[]
}

const account = "/accounts/acme-export"
const partner = "/partners/acme-export"

/** What capabilities add. Those that are not here add nothing. */
const added: Readonly<Record<string, Added>> = {
  accounts: {
    entries: ["Accounts"],
    pages: ["/accounts", account],
    own: ["Your sessions and tokens"],
  },
  audit: {
    entries: ["Audit"],
    pages: ["/audit", "/audit.csv"],
    sections: { [account]: "/console/audit?account=acme-export" },
    own: ['id="requests"', "Each request for a list, and each log-in"],
  },
  connect: { entries: ["Source"], pages: ["/source"] },
  disclosures: {
    entries: ["Disclosures"],
    pages: ["/disclosures"],
    own: ["Which records you were sent"],
  },
  handbook: { entries: ["Handbook"], pages: ["/handbook", "/handbook/incidents"] },
  partners: {
    entries: ["Events"],
    pages: [partner, "/events", "/events/EVENT"],
    sections: { "": 'id="partners"', [account]: "how it is doing" },
    own: ['id="state"', 'id="lists"', 'id="errors"', "How you are doing, as above"],
  },
  ping: {
    sections: { [account]: "ping list acme-export" },
    own: ['id="pings"', "You have registered none."],
  },
  presence: { sections: { "": "Instances", "/configuration": "Instances" } },
  sessions: {
    sections: { "": 'id="ending"', [account]: "account sessions acme-export" },
    own: ['id="tokens"'],
  },
}

/** What two capabilities show only together. */
const together: readonly (readonly [path: string, text: string, names: readonly string[]])[] = [
  ["", 'id="errors"', ["partners", "audit"]],
  [partner, 'id="access-title"', ["partners", "accounts"]],
  [partner, 'id="errors"', ["partners", "audit"]],
  [partner, "/console/audit?account=acme-export", ["partners", "audit"]],
  [partner, 'id="explain-title"', ["partners", "explain"]],
  ["/events/EVENT", 'id="day-title"', ["partners", "audit"]],
]

/** The entries of the console itself, and all in their order. */
const own = ["Overview", "Configuration"]
const order = [
  "Overview",
  "Events",
  "Configuration",
  "Accounts",
  "Source",
  "Audit",
  "Disclosures",
  "Handbook",
]

/** Capabilities that are on while those are off of which they show something together. */
const apart = ["partners", "disclosures", "check", "sessions"]
const sets = [
  [],
  capabilityNames(),
  apart,
  capabilityNames().filter((name) => !apart.includes(name)),
]

for (const on of sets) {
  const name = on.join(", ") || "no capability"
  await t.test(`with ${name}`, async (t) => {
    const app = await freshApp(t, "sqlite", { capabilities: on })
    await compareOwnPage(t, app, on)
    await compareConsole(t, app, on)
  })
}

async function compareOwnPage(t: Test, app: App, on: readonly string[]): Promise<void> {
  const { build, logIn } = app
  const event = await build.event(await build.organization("acme"))
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })
  const get = await logIn("acme-export")
  await (await get(`/acme/v1/events/${event}/guests`)).text()
  const text = await (on.includes("partners") ? shown(get, "You are in sync") : show(get))
  for (const part of ['id="quota"', 'id="seen"']) t.match(text, part)
  for (const [name, { own = [] }] of Object.entries(added)) {
    for (const part of own) t.equal(text.includes(part), on.includes(name), `${name}: ${part}`)
  }
  const posted = await get("/docs/me/tokens", { method: "POST" })
  t.equal(posted.status, on.includes("sessions") ? 415 : 404)
}

async function compareConsole(t: Test, app: App, on: readonly string[]): Promise<void> {
  const { build } = app
  const { id: organization } = await app.database.writer.selectFrom("organization").select("id")
    .where("slug", "=", "acme").executeTakeFirstOrThrow()
  const event = await build.event(organization)
  const guest = await build.guest(event)
  await build.account("operator", "operator")
  const partnerOf = await app.logIn("acme-export")
  await (await partnerOf(`/acme/v1/events/${event}/guests`)).text()
  await (await partnerOf(`/acme/v1/events/${event}/guests?limit=0`)).text()
  const browse = await app.logIn("operator")
  const get = (path: string) => {
    const headers = { accept: "text/html" }
    return browse(`/console${path.replace("EVENT", event)}`, { headers, redirect: "manual" })
  }
  const isOn = (name: string) => on.includes(name)
  // What has been requested is recorded in the background.
  const isWritten = async (path: string, text: string) => {
    while (!(await (await get(path)).text()).includes(text)) await setTimeout(20)
  }
  const recipients = `/disclosures?guest=${guest}`
  if (isOn("audit")) await isWritten("/audit?status=4xx", "1 entries")
  if (isOn("disclosures")) await isWritten(recipients, ">acme-export<")
  if (isOn("partners")) await isWritten("/events/EVENT", "acme-export")

  const expected = order.filter((entry) =>
    own.includes(entry) || on.some((name) => added[name]?.entries?.includes(entry))
  )
  const pages = ["", "/configuration"]
  if (isOn("disclosures")) pages.push(recipients)
  for (const [name, { pages: theirs = [] }] of Object.entries(added)) {
    if (isOn(name)) pages.push(...theirs)
    else for (const path of theirs) t.equal((await get(path)).status, 404, `no ${path}`)
  }
  const texts = new Map<string, string>()
  for (const path of pages) {
    const response = await get(path)
    t.equal(response.status, 200, path)
    const text = await response.text()
    texts.set(path, text)
    if (path.endsWith(".csv")) continue
    const nav = /<nav[^]*?<\/nav>/.exec(text)?.[0] ?? ""
    t.strictSame([...nav.matchAll(/>([A-Z]\w+)<\/a>/g)].map(([, entry]) => entry), expected, path)
  }
  const links = [...texts.values()].flatMap((text) =>
    [...text.matchAll(/href="\/console([^"#]*)"/g)].map(([, link = ""]) => link)
  )
  for (const link of new Set(links)) {
    t.equal((await get(link.replaceAll("&amp;", "&"))).status, 200, link)
  }
  const sections = Object.entries(added).flatMap(([name, { sections = {} }]) =>
    Object.entries(sections).map(([path, text]) =>
      [path, text, path === account ? [name, "accounts"] : [name]] as const
    )
  )
  for (const [path, text, names] of [...sections, ...together]) {
    t.equal(texts.get(path)?.includes(text) ?? false, names.every(isOn), `${path} ${text}`)
  }
}
