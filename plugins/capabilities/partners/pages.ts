import type { Addition } from "../../service/console/page.ts"
import { showChoices } from "./pages/choices.ts"
import { showErrors } from "./pages/errors.ts"
import { showEvent } from "./pages/event.ts"
import { findEvents, showEvents } from "./pages/events.ts"
import { showPartner } from "./pages/partner.ts"
import { showPartners } from "./pages/partners.ts"

/** The console's pages about partners and the events that they read. */
export const pages: readonly Addition[] = [
  { kind: "section", place: "overview", order: 20, render: showPartners },
  { kind: "section", place: "choices", order: 10, render: showChoices },
  { kind: "section", place: "overview", order: 40, render: showErrors },
  { kind: "page", method: "GET", path: "/partners/:name", show: showPartner },
  {
    kind: "page",
    method: "GET",
    path: "/events",
    entry: { name: "Events", order: 20 },
    show: showEvents,
  },
  { kind: "page", method: "GET", path: "/events/:event", show: showEvent },
  { kind: "finder", order: 20, find: findEvents },
]
