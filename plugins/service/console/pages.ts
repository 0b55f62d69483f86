import type { Addition } from "./addition.ts"
import { showAccess } from "./pages/access.ts"
import { changeAccount, showAccount } from "./pages/account.ts"
import { addAccount, showAccounts } from "./pages/accounts.ts"
import { showConfiguration } from "./pages/configuration.ts"
import { showOverview } from "./pages/overview.ts"
import { findAccounts, showSearch } from "./pages/search.ts"

/** What the console shows of the kernel's data, whatever capabilities are on. */
export const pages: readonly Addition[] = [
  {
    kind: "page",
    method: "GET",
    path: "",
    entry: { name: "Overview", order: 10 },
    show: showOverview,
  },
  {
    kind: "page",
    method: "GET",
    path: "/configuration",
    entry: { name: "Configuration", order: 30 },
    show: showConfiguration,
  },
  {
    kind: "page",
    method: "GET",
    path: "/accounts",
    entry: { name: "Accounts", order: 40 },
    show: showAccounts,
  },
  { kind: "page", method: "GET", path: "/search", show: showSearch },
  { kind: "finder", order: 10, find: findAccounts },
  { kind: "page", method: "POST", path: "/accounts", show: addAccount },
  { kind: "page", method: "GET", path: "/accounts/:name", show: showAccount },
  { kind: "page", method: "POST", path: "/accounts/:name", show: changeAccount },
  { kind: "section", place: "partner", order: 30, render: showAccess },
]
