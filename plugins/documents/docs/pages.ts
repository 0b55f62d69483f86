import type { Catalogue, HandlerRoute, Session } from "../../../core/plugin.ts"
import { type Area, type FramedPage, respondRefused, tokenOf } from "../../design/design.ts"

/** A page of the documents. */
export interface SitePage {
  readonly path: string
  /** The name in the navigation. */
  readonly name: string
  /** Its text in `pages/`. Pages without one are generated. */
  readonly file?: string
  /** The plugin that the page needs, if other than `docs`. */
  readonly plugin?: string
  /** The route that the page needs, as in `OfferedRoutes`. */
  readonly route?: string
}

/** The routes that pages may depend on, such as `POST /session/tokens`, of the capabilities that are on. */
export type OfferedRoutes = ReadonlySet<string>

/** Pages under a name in the navigation. */
export interface PageGroup {
  readonly name: string
  readonly entries: readonly SitePage[]
}

/** All pages, in the order of the navigation. */
export const groups: readonly PageGroup[] = [
  {
    name: "Get started",
    entries: [
      { path: "/docs", name: "Start", file: "start.md" },
      {
        path: "/docs/log-in-and-tokens",
        name: "Log-in and tokens",
        file: "log-in-and-tokens.md",
      },
    ],
  },
  {
    name: "Keep a copy",
    entries: [
      { path: "/docs/sync", name: "Sync", file: "sync.md" },
      { path: "/docs/pings", name: "Pings", file: "pings.md", route: "POST /session/pings" },
      { path: "/docs/lists", name: "Lists and deletions", file: "lists.md" },
      { path: "/docs/digests", name: "Digests", file: "digests.md" },
      { path: "/docs/exports", name: "Files and exports", file: "exports.md" },
    ],
  },
  {
    name: "Reference",
    entries: [
      { path: "/docs/records", name: "Records", file: "records.md" },
      { path: "/docs/parameters", name: "Parameters, headers, limits", file: "parameters.md" },
      { path: "/docs/endpoints", name: "Endpoints", file: "endpoints.md" },
      { path: "/docs/errors", name: "Errors", file: "errors.md" },
      { path: "/docs/reference", name: "Try requests", plugin: "openapi" },
    ],
  },
  {
    name: "Tools",
    entries: [
      { path: "/docs/pull", name: "The client pull", file: "pull.md", plugin: "pull" },
      { path: "/docs/tools", name: "Other tools", file: "tools.md" },
    ],
  },
  {
    name: "More",
    entries: [
      { path: "/docs/changes", name: "Changes", file: "changes.md" },
      { path: "/docs/me", name: "Your account", plugin: "me" },
    ],
  },
]

/** A page made from a text. */
export type TextPage = SitePage & { readonly file: string }

type Loaded = Pick<Catalogue, "summaries">

/** Returns the pages made from texts, in the order of the navigation. */
export function textPages(loaded: Loaded, offers: OfferedRoutes): TextPage[] {
  return navigationOf(loaded, offers).flatMap(({ entries }) => entries)
    .filter((page): page is TextPage => page.file !== undefined)
}

/** Returns the path of a page as Markdown. The start page's is `/docs/start.md`. */
export function markdownPath({ file }: Pick<TextPage, "file">): string {
  return `/docs/${file}`
}

/** Returns the navigation of all pages below `/docs`: the pages of the loaded plugins and capabilities. */
export function navigationOf({ summaries }: Loaded, offers: OfferedRoutes): PageGroup[] {
  return groups.map(({ name, entries }) => ({
    name,
    entries: entries.filter(({ plugin = "docs", route }) =>
      summaries.has(plugin) && (route === undefined || offers.has(route))
    ),
  })).filter(({ entries }) => entries.length > 0)
}

/** The documents' area, for the frame of their pages. */
export const area: Area = {
  name: "Documents",
  path: "/docs",
  search: { action: "/docs/search", label: "Search the documents", answersJson: true },
}

/**
 * Returns what all pages below `/docs` have in common for a reader. `offers` defaults to the routes that the reader may
 * use.
 */
export function frameFor(
  catalogue: Catalogue,
  session: Session | undefined,
  offers: OfferedRoutes = new Set(
    catalogue.routes.map(({ method, pattern }) => `${method} ${pattern.text}`),
  ),
): Pick<FramedPage, "area" | "navigation" | "reader" | "contact"> {
  return {
    area,
    navigation: navigationOf(catalogue, offers),
    contact: catalogue.contact,
    reader: session && { username: session.account.username, token: tokenOf(session) },
  }
}

/** The log-in page's explanation of which name and password to use. */
export const aboutLogIn = "Log in with the user name and the password that your programs use."

/** Shows browsers why a page below `/docs` was refused, or redirects them to log in. */
export const refuse: NonNullable<HandlerRoute["refused"]> = (problem, refused) =>
  respondRefused(problem, refused, { area, about: aboutLogIn })
