import { Client, type Got, read } from "../client.ts"
import { isDisconnected } from "../service.ts"
import { type Simulation, Violation } from "../simulation.ts"
import type { World } from "../world.ts"

/** Who opens pages, and where they begin. */
const visitors = [
  { account: "operator", starts: ["/console", "/status", "/docs", "/openapi.json"] },
  { account: "partner-b", starts: ["/docs", "/docs/me", "/openapi.json", "/docs/kit"] },
  { account: "acme-export", starts: ["/docs/me", "/docs/reference", "/openapi.json"] },
] as const

/** What strangers may open. */
const open = ["/docs", "/livez", "/readyz", "/problems/not_found", "/.well-known/security.txt", "/"]

/** The most pages that a visitor opens at the end. */
const mostAtEnd = 25

/** What a page may get while the world is in disorder. */
const excused = new Set([200, 303, 304, 401, 403, 404, 405, 429, 503])

/** People with browsers, who follow links: every page opens, and at the end no link leads nowhere. */
export default function simulate(world: World): Simulation {
  const all = visitors.map(({ account, starts }) => ({
    client: world.client(account, { name: `a browser of ${account}` }),
    starts,
    links: [...starts] as string[],
    from: new Map<string, string>(),
  }))

  const visit = async ({ client, links, from }: (typeof all)[number], path: string) => {
    const got = await client.get(path, { headers: { accept: "text/html" } })
    if (!excused.has(got.status)) {
      throw new Violation(`${client.name} gets ${got.status} for ${path}`)
    }
    for (const link of linksOf(got, path)) {
      if (from.has(link)) continue
      from.set(link, path)
      links.push(link)
    }
    return got
  }

  return {
    steps: [
      ...all.map((visitor) => ({
        name: `${visitor.client.name} opens a page`,
        weight: 1,
        async run(random: { pick<T>(all: readonly T[]): T }) {
          const path = random.pick(visitor.links)
          const { status } = await visit(visitor, path)
          return `${path} ${status}`
        },
      })),
      {
        name: "a stranger opens a page",
        weight: 0.5,
        async run(random) {
          const path = random.pick(open)
          const client = new Client(world, { account: "partner-a", name: "a stranger" })
          const { status } = await read(await client.send(path))
          if (!excused.has(status)) throw new Violation(`a stranger gets ${status} for ${path}`)
          return `${path} ${status}`
        },
      },
    ],
    async settle() {
      for (const visitor of all) {
        const { client, links, from } = visitor
        const { starts } = visitor
        // Pages link to what there was when they were made.
        links.splice(0, Infinity, ...starts)
        from.clear()
        for (const opened = new Set<string>(); opened.size < mostAtEnd;) {
          // Early and late ones in turn.
          const left = links.filter((link) => !opened.has(link))
          const path = left[opened.size % 2 === 0 ? 0 : left.length - 1]
          if (path === undefined) break
          opened.add(path)
          const { status, text } = await visit(visitor, path).catch((error) => {
            throw isDisconnected(error) ? new Violation(`nothing answers ${path}`) : error
          })
          // An account may be disabled, or have another role or password.
          if (status === 401 || status === 403) break
          if (status === 200 || status === 303) continue
          throw new Violation(
            `${client.name} gets ${status} for ${path}, which ${from.get(path)} links to: ${text}`,
          )
        }
      }
    },
  }
}

/** Returns the paths of this service that a page links to. */
function linksOf({ status, headers, text }: Got, path: string): string[] {
  if (status !== 200 || !(headers.get("content-type") ?? "").startsWith("text/html")) return []
  const links = [...text.matchAll(/<a [^>]*?href="([^"]+)"/g)].flatMap(([, href = ""]) => {
    const url = new URL(href.replaceAll("&amp;", "&"), new URL(path, "http://export.test"))
    return url.host === "export.test" ? [url.pathname + url.search] : []
  })
  return [...new Set(links)]
}
