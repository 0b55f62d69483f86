import type { LogInPage } from "../../design/design.ts"

/** The console's log-in page, with its area. */
export const logIn: Omit<LogInPage, "refused"> = {
  area: {
    name: "Console",
    path: "/console",
    search: { action: "/console/search", label: "Search partners, events, request ids" },
  },
  about: "For accounts with the role operator or viewer.",
  left: "/console/log-in",
}
