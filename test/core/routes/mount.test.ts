import t from "tap"
import * as v from "valibot"
import type { PluginSetup } from "../../../core/routes/setup.ts"
import {
  type Deriving,
  mountPlugins,
  type MountResult,
  withoutDeletions,
} from "../../../core/routes/mount.ts"
import {
  anyone,
  definePlugin,
  guests,
  handler,
  leanGuest,
  listing,
  type Mount,
  signedIn,
} from "../../../core/plugin.ts"

const respond = () => new Response("")

t.test("mountPlugins returns frozen routes, sorted by path", (t) => {
  const { routes, problems } = mountPlugins([
    plugin("b", {
      prefix: "/b",
      routes: [handler("GET", "/x", { auth: anyone, handle: respond })],
    }),
    plugin("a", {
      prefix: "/a",
      routes: [handler("GET", "/x", { auth: anyone, handle: respond })],
    }),
  ])
  t.strictSame(problems, [])
  t.strictSame(routes.map(({ plugin, method, pattern }) => [plugin, method, pattern.text]), [
    ["a", "GET", "/a/x"],
    ["b", "GET", "/b/x"],
  ])
  t.ok(Object.isFrozen(routes) && routes.every(Object.isFrozen))
  t.end()
})

t.test("mountPlugins lets plugins share a prefix, and a path with other methods", (t) => {
  const { problems } = mountPlugins([
    plugin("a", {
      prefix: "/x",
      routes: [handler("GET", "/:id", { auth: anyone, handle: respond })],
    }),
    plugin("b", {
      prefix: "/x",
      routes: [handler("POST", "/:name", { auth: anyone, handle: respond })],
    }),
  ])
  t.strictSame(problems, [])
  t.end()
})

t.test("mountPlugins refuses one method and path of two plugins, however the parameter is called", (t) => {
  const setups = ["/:id", "/:name"].map((path, index) =>
    plugin(`p${index}`, {
      prefix: "/x",
      routes: [handler("GET", path, { auth: anyone, handle: respond })],
    })
  )
  t.strictSame(messages(mountPlugins(setups)), [
    "Cannot mount GET /x/:id: it is claimed by plugins p0 and p1 both",
  ])
  t.end()
})

t.test("mountPlugins lets an optional plugin fail that claims the route of a required one, even of a later one", (t) => {
  const mount = (path: string) => ({
    prefix: "/x",
    routes: [handler("GET", path, { auth: anyone, handle: respond })],
  })
  const optional = plugin("optional", mount("/:id"), true)
  const required = plugin("required", mount("/:name"))
  for (const setups of [[optional, required], [required, optional]]) {
    const { routes, problems, failures } = mountPlugins(setups)
    t.strictSame(problems, [])
    t.strictSame(routes.map(({ plugin }) => plugin), ["required"])
    t.strictSame(failures.map(({ use, reasons }) => [use, reasons]), [["optional", [
      "Cannot mount GET /x/:name: it is claimed by plugins required and optional both",
    ]]])
  }
  t.end()
})

t.test("mountPlugins reports a plugin that throws", (t) => {
  const entry = plugin("broken", { prefix: "", routes: [] })
  const mount = () => {
    throw new Error("no")
  }
  const broken = { ...entry, plugin: { ...entry.plugin, mount } }
  t.strictSame(messages(mountPlugins([broken])), [
    "Cannot mount plugin broken: no",
  ])
  t.end()
})

const derived = (path: string): Deriving => ({
  derives: (routes) =>
    routes.flatMap((from) => from.kind === "listing" ? [{ from, path, list: from.list }] : []),
})
const eventGuests = listing("/:eventId/guests", guests, { auth: signedIn, project: leanGuest })

t.test("mountPlugins adds what capabilities derive: below the mount, with its policy, sorted and frozen", (t) => {
  const setups = [
    plugin("a", { prefix: "/a", routes: [eventGuests] }),
    plugin("b", { prefix: "", routes: [eventGuests] }),
  ]
  const { routes, problems } = mountPlugins(setups, { deriving: [{}, derived("/:eventId/feed")] })
  t.strictSame(problems, [])
  t.match(
    routes.map(({ plugin, prefix, pattern, auth }) => [plugin, prefix, pattern.text, auth]),
    [
      ["b", "/:eventId/feed", "/:eventId/feed", signedIn],
      ["b", "/:eventId/guests", "/:eventId/guests", signedIn],
      ["a", "/a", "/a/:eventId/feed", signedIn],
      ["a", "/a", "/a/:eventId/guests", signedIn],
    ],
  )
  t.ok(Object.isFrozen(routes) && routes.every(Object.isFrozen))
  t.end()
})

t.test("mountPlugins leaves out a derived list at the path of another route, whatever its parameter is called", (t) => {
  const own = handler("GET", "/:id/feed", { auth: anyone, handle: respond })
  const setups = [plugin("a", { prefix: "/a", routes: [eventGuests, own] })]
  const deriving = [derived("/:eventId/feed"), derived("/:eventId/one"), derived("/:eventId/one")]
  const { routes, problems } = mountPlugins(setups, { deriving })
  t.strictSame(problems, [])
  t.strictSame(routes.map(({ kind, pattern }) => [kind, pattern.text]), [
    ["listing", "/a/:eventId/guests"],
    ["listing", "/a/:eventId/one"],
    ["handler", "/a/:id/feed"],
  ])
  t.end()
})

t.test("mountPlugins counts what is derived among the routes that there may be", (t) => {
  const setups = [plugin("a", { prefix: "/a", routes: [eventGuests] })]
  const deriving = [derived("/:eventId/feed"), derived("/:eventId/one")]
  t.strictSame(messages(mountPlugins(setups, { deriving, mostRoutes: 3 })), [])
  t.match(messages(mountPlugins(setups, { deriving, mostRoutes: 2 })), [/too many routes/])
  t.match(messages(mountPlugins(setups, { deriving, mostRoutes: 0 })), [/too many routes/])
  t.end()
})

t.test("withoutDeletions takes away every list that has deletions, also a derived one", (t) => {
  const setups = [plugin("a", { prefix: "/a", routes: [eventGuests] })]
  const deriving: Deriving[] = [{
    derives: ([from]) =>
      from?.kind === "listing"
        ? [{ from, path: "/:eventId/feed", list: { ...from.list, hasHorizon: true } }]
        : [],
  }]
  const { routes } = mountPlugins(setups, { deriving })
  t.match(withoutDeletions(routes), [
    { kind: "handler", announced: true, pattern: { text: "/a/:eventId/feed" } },
    { kind: "listing", pattern: { text: "/a/:eventId/guests" } },
  ])
  t.end()
})

function messages({ problems }: MountResult): string[] {
  return problems.map(({ message }) => message)
}

function plugin(name: string, mount: Mount, optional = false): PluginSetup {
  const plugin = definePlugin<unknown>({
    apiVersion: 2,
    name,
    summary: "",
    settings: v.unknown(),
    mount: () => mount,
  })
  return {
    plugin,
    settings: {},
    index: 0,
    use: name,
    optional,
    with: undefined,
    loadMilliseconds: 0,
  }
}
