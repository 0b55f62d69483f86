import type { Catalogue } from "../../../core/plugin.ts"

/** A page of the documents. */
export interface SitePage {
  readonly path: string
  /** In the navigation, and as the title of the browser's window. */
  readonly name: string
  /** Its text in `pages/`. Pages without one are made by programs. */
  readonly file?: string
  /** The plugin that serves it, if that is not `docs`. */
  readonly plugin?: string
}

/** Pages under a name in the navigation. */
export interface PageGroup {
  readonly name?: string
  readonly entries: readonly SitePage[]
}

/** All pages, in the order of the navigation. */
export const groups: readonly PageGroup[] = [
  {
    name: "Start",
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
    name: "Sync",
    entries: [
      { path: "/docs/sync", name: "Sync", file: "sync.md" },
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
      { path: "/docs/kit", name: "Kit", plugin: "kit" },
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

/**
 * Returns the navigation of the documents, which all pages below `/docs` have: the pages of the plugins that are
 * loaded.
 */
export function navigationOf({ summaries }: Pick<Catalogue, "summaries">): PageGroup[] {
  return groups.map(({ name, entries }) => ({
    ...name !== undefined && { name },
    entries: entries.filter(({ plugin = "docs" }) => summaries.has(plugin)),
  })).filter(({ entries }) => entries.length > 0)
}
