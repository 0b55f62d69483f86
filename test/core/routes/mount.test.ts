import t from "tap"
import type { PluginSetup } from "../../../core/routes/setup.ts"
import { type ListDeriver, mountPlugins } from "../../../core/routes/mount.ts"
import {
  anyone,
  consented,
  definePlugin,
  family,
  granted,
  guests,
  handler,
  leanEvent,
  leanGuest,
  leanItems,
  listing,
  type Mount,
  signedIn,
  v,
  where,
} from "../../../core/plugin.ts"

const eventGuests = listing("/:eventId/guests", guests, { auth: signedIn, project: leanGuest })

function plugin(name: string, mount: Mount): PluginSetup {
  const plugin = definePlugin<unknown>({
    ...{ apiVersion: 3, name, summary: "", settings: v.unknown() },
    mount: () => mount,
  })
  return {
    ...{ plugin, settings: {}, index: 0, use: name, with: undefined },
  }
}

/** A plugin with one handler. */
function withRoute(name: string, path: string, method: "GET" | "POST" = "GET") {
  const route = handler(method, path, { auth: anyone, handle: () => new Response("") })
  return plugin(name, { prefix: "/x", routes: [route] })
}

const derived = (path: string): ListDeriver => ({
  derives: (routes) =>
    routes.flatMap((from) => from.kind === "listing" ? [{ from, path, list: from.list }] : []),
})

/** Returns the paths of what is mounted, and what is wrong. */
function mounted(...args: Parameters<typeof mountPlugins>) {
  const { routes, problems } = mountPlugins(...args)
  t.ok(Object.isFrozen(routes) && routes.every(Object.isFrozen))
  return {
    routes: routes.map(({ plugin, kind, pattern }) => `${plugin} ${kind} ${pattern.text}`),
    problems: problems.map(({ message }) => message),
  }
}

const none = { problems: [] }
const a = plugin("a", { prefix: "/a", routes: [eventGuests] })
const both = (path: string, one: string, other: string) =>
  `Cannot mount GET ${path}: it is claimed by plugins ${one} and ${other} both`

t.test("mountPlugins returns what plugins declare, sorted by path, and refuses a route of two", (t) => {
  t.strictSame(mounted([withRoute("b", "/b"), withRoute("a", "/a")]), {
    ...none,
    routes: ["a handler /x/a", "b handler /x/b"],
  })
  const methods = mounted([withRoute("a", "/:id"), withRoute("b", "/:name", "POST")])
  t.strictSame(methods.problems, [])
  const clash = mounted([withRoute("a", "/:id"), withRoute("b", "/:name")])
  t.strictSame(clash.problems, [both("/x/:id", "a", "b")])
  t.end()
})

t.test("mountPlugins mounts the lists of a family, under its prefix and policy", (t) => {
  const auth = granted(["north"])
  const later = { announced: "Later." }
  const families: [Parameters<typeof family>[1], paths: string[]][] = [
    [{ auth, events: leanEvent }, ["listing /x/v1/events"]],
    [{ auth, guests: later }, ["handler /x/v1/events/:eventId/guests"]],
    [
      { auth, guests: leanGuest, items: leanItems },
      ["guests", "items"].flatMap((list) =>
        ["", "/deletions", "/digest"].map((of) => `listing /x/v1/events/:eventId/${list}${of}`)
      ),
    ],
  ]
  for (const [declared, paths] of families) {
    const setup = plugin("x", family("/x/v1", declared))
    t.strictSame(mounted([setup]), { ...none, routes: paths.map((path) => `x ${path}`) })
    for (const route of mountPlugins([setup]).routes) t.match(route, { auth, prefix: "/x/v1" })
  }
  t.end()
})

t.test("mountPlugins adds what capabilities derive below the mount, unless a plugin has that path", (t) => {
  const top = plugin("b", { prefix: "", routes: [eventGuests] })
  const deriving = [
    {},
    derived("/:eventId/feed"),
    derived("/:eventId/one"),
    derived("/:eventId/one"),
  ]
  const { routes } = mountPlugins([a, top], { deriving })
  t.match(routes.map(({ prefix, pattern, auth }) => [prefix, pattern.text, auth]), [
    ["/:eventId/feed", "/:eventId/feed", signedIn],
    ["/:eventId/guests", "/:eventId/guests", signedIn],
    ["/:eventId/one", "/:eventId/one", signedIn],
    ["/a", "/a/:eventId/feed", signedIn],
    ["/a", "/a/:eventId/guests", signedIn],
    ["/a", "/a/:eventId/one", signedIn],
  ])
  const own = handler("GET", "/:id/feed", { auth: anyone, handle: () => new Response("") })
  const setups = [plugin("a", { prefix: "/a", routes: [eventGuests, own] })]
  t.strictSame(mounted(setups, { deriving }), {
    ...none,
    routes: ["a listing /a/:eventId/guests", "a listing /a/:eventId/one", "a handler /a/:id/feed"],
  })
  t.end()
})

t.test("a family that chooses guests is mounted only if a capability follows filters", (t) => {
  const project = where(leanGuest, consented("email"))
  const chosen = plugin("chosen", family("/x/v1", { auth: granted([]), guests: project }))
  const { problems } = mountPlugins([chosen])
  t.match(problems, [{ message: /Plugin chosen chooses guests: add filters to capabilities/ }])
  t.strictSame(mountPlugins([chosen], { deriving: [{ settle: true }] }).problems, [])
  t.end()
})
