import type { Addition, Site } from "./addition.ts"
import { linksTo } from "./links.ts"

/** Combines pages, sections and finders. */
export function siteOf(additions: readonly Addition[]): Site {
  const pages = additions.filter((each) => each.kind === "page")
  const sections = additions.filter((each) => each.kind === "section")
    .toSorted((a, b) => a.order - b.order)
  const finders = additions.filter((each) => each.kind === "finder")
    .toSorted((a, b) => a.order - b.order)
  return {
    pages,
    entries: pages
      .flatMap(({ path, entry }) => entry ? [{ path: `/console${path}`, ...entry }] : [])
      .toSorted((a, b) => a.order - b.order),
    link: linksTo(new Set(pages.map(({ path }) => path))),
    async sections(place, visit, subject) {
      const here = sections.filter((each) => each.place === place)
      const shown = await Promise.all(here.map(({ render }) => render(visit, subject as never)))
      return shown.flatMap((content) => [content, "\n"])
    },
    async find(visit, text) {
      return (await Promise.all(finders.map((finder) => finder.find(visit, text)))).flat()
    },
  }
}
