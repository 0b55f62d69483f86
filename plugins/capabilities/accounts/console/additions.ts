import type { Addition } from "../../../service/console/page.ts"
import { showAccess } from "./access.ts"
import { changeAccount, showAccount } from "./account.ts"
import { addAccount, showAccounts } from "./accounts.ts"
import { findAccounts } from "./find-accounts.ts"
import { namePages } from "./names.ts"

/** What the console shows of accounts: their pages, what a partner may read, and how they are found. */
export const additions: readonly Addition[] = [
  {
    kind: "page",
    method: "GET",
    path: "/accounts",
    entry: { name: "Accounts", order: 40 },
    show: showAccounts,
  },
  { kind: "page", method: "POST", path: "/accounts", show: addAccount },
  { kind: "page", method: "GET", path: "/accounts/:name", show: showAccount },
  { kind: "page", method: "POST", path: "/accounts/:name", show: changeAccount },
  { kind: "section", place: "partner", order: 30, render: showAccess },
  { kind: "finder", order: 10, find: findAccounts },
  ...namePages,
]
