import t from "tap"
import { apiVersion } from "../../../core/routes/contract.ts"
import {
  definePlugin,
  family,
  granted,
  leanEvent,
  leanGuest,
  leanItems,
  v,
} from "../../../core/plugin.ts"
import { mountPlugins } from "../../../core/routes/mount.ts"

const auth = granted(["north"])
const later = { announced: "Later." }

const families: Record<string, [declared: Parameters<typeof family>[1], paths: string[]]> = {
  "everything": [
    { auth, events: leanEvent, guests: leanGuest, items: leanItems },
    [
      "/x/v1/events",
      "/x/v1/events/:eventId/guests",
      "/x/v1/events/:eventId/guests/deletions",
      "/x/v1/events/:eventId/guests/digest",
      "/x/v1/events/:eventId/guests/export",
      "/x/v1/events/:eventId/items",
      "/x/v1/events/:eventId/items/deletions",
      "/x/v1/events/:eventId/items/digest",
      "/x/v1/events/:eventId/items/export",
    ],
  ],
  "events alone": [{ auth, events: leanEvent }, ["/x/v1/events"]],
  "guests alone": [{ auth, guests: leanGuest }, [
    "/x/v1/events/:eventId/guests",
    "/x/v1/events/:eventId/guests/deletions",
    "/x/v1/events/:eventId/guests/digest",
    "/x/v1/events/:eventId/guests/export",
  ]],
  "announced lists": [{ auth, guests: later, items: later }, [
    "/x/v1/events/:eventId/guests announced",
    "/x/v1/events/:eventId/items announced",
  ]],
}
for (const [name, [declared, paths]] of Object.entries(families)) {
  t.test(`family mounts ${name}, under its prefix and policy`, (t) => {
    const plugin = definePlugin<unknown>({
      apiVersion,
      name: "x",
      summary: "X",
      settings: v.unknown(),
      mount: () => family("/x/v1", declared),
    })
    const entry = { index: 0, use: "x", optional: false, with: undefined, loadMilliseconds: 0 }
    const { routes, problems } = mountPlugins([{ ...entry, plugin, settings: {} }])
    t.strictSame(problems, [])
    t.strictSame(
      routes.map((route) =>
        route.pattern.text + (route.kind === "handler" && route.announced ? " announced" : "")
      ),
      paths,
    )
    for (const route of routes) t.strictSame([route.auth, route.prefix], [auth, "/x/v1"])
    t.end()
  })
}

const wrong: Record<string, [declared: object | null, reason: string]> = {
  "nothing": [null, "auth is missing: name a policy, such as granted(organizations)"],
  "null for a list": [
    { auth, guests: null },
    'guests is null: give a projection or { announced: "…" }, or leave it out',
  ],
  "a text for a list": [
    { auth, guests: "later" },
    'guests is later: give a projection or { announced: "…" }, or leave it out',
  ],
}
for (const [name, [declared, reason]] of Object.entries(wrong)) {
  t.test(`family refuses ${name}, and says why`, (t) => {
    t.throws(() => family("/x/v1", declared as never), new TypeError(`family /x/v1: ${reason}`))
    t.end()
  })
}
