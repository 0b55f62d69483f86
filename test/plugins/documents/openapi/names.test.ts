import t from "tap"
import type { MountedRoute, Plugin, Route } from "../../../../core/plugin.ts"
import { announced, anyone, family, granted, handler, leanGuest } from "../../../../core/plugin.ts"
import { leanItems } from "../../../../core/plugin.ts"
import { mountPlugins } from "../../../../core/routes/mount.ts"
import { deriveExports } from "../../../../plugins/capabilities/export/derive-exports.ts"
import { operationIds } from "../../../../plugins/documents/openapi/names.ts"

/** Returns the names of all operations of these mounts, sorted, by plugin. */
function namesOf(plugins: Readonly<Record<string, Readonly<Record<string, readonly Route[]>>>>) {
  const setups = Object.entries(plugins).map(([name, mounts]) => {
    const mount = () => Object.entries(mounts).map(([prefix, routes]) => ({ prefix, routes }))
    const plugin = { apiVersion: 3, name, summary: name, mount } as unknown as Plugin
    return { plugin, settings: {} }
  })
  const { routes, problems } = mountPlugins(setups as never, {
    deriving: [{ derives: deriveExports }],
  })
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join("; "))
  const ids = operationIds(routes)
  return routes.map((route: MountedRoute) => ids.get(route))
}

const auth = granted(["north"])
const handle = () => new Response()
const describe = (summary: string) => ({ summary, description: "", answers: {} })
const guests = family("/x", { auth, guests: leanGuest }).routes
const items = family("/x", { auth, items: leanItems }).routes
const comesLater = announced("/events/:eventId/items", { auth, detail: "Later." })

t.test("operationIds names a list after its plugin, whether it is announced or another plugin's", (t) => {
  const before = namesOf({ shop: { "/shop/v1": [...guests, comesLater] } })
  t.strictSame(before, [
    "shopListGuests",
    "shopListGuestDeletions",
    "shopGuestDigest",
    "shopExportGuests",
    "shopListItems",
  ])
  const after = namesOf({
    shop: { "/shop/v1": [...guests, comesLater] },
    "shop-items": { "/shop/v1": items },
  })
  t.strictSame(after.slice(0, 5), before)
  t.end()
})

t.test("operationIds numbers the mounts of a plugin, and does not name their paths", (t) => {
  const names = namesOf({ shop: { "/acme/v1": guests, "/borealis/v1": [...guests, ...items] } })
  t.strictSame(names.slice(0, 5), [
    "shopListGuests",
    "shopListGuestDeletions",
    "shopGuestDigest",
    "shopExportGuests",
    "shop2ListGuests",
  ])
  t.ok(names.includes("shop2ListItems"), "all the routes of a mount have its number")
  t.equal(new Set(names).size, names.length)
  t.end()
})

t.test("operationIds names handlers after their summaries, and tells equal ones apart by their paths", (t) => {
  const of = (path: string, summary?: string) =>
    handler("GET", path, {
      auth: anyone,
      handle,
      ...summary ? { describe: describe(summary) } : {},
    })
  const names = namesOf({
    shop: {
      "/shop": [
        of("/a", "Size of a badge"),
        of("/b/:id", "Size of the badge"),
        of("/c"),
        of("/d", "Shop window"),
        of("/e", "größe"),
      ],
    },
  })
  t.strictSame(names, [
    "shopSizeOfBadge",
    "shopSizeOfBadgeBId",
    "shopGetShopC",
    "shopWindow",
    "shopGrE",
  ])
  t.end()
})
