import type { InternalContext } from "../../../core/capability.ts"
import type { Content } from "../../design/design.ts"
import type { Links } from "./links.ts"

/** A part of the console: a page, section or finder, its own or added by a capability. */
export type Addition = ConsolePage | Section | Finder

/** A page for operators. */
export interface ConsolePage {
  readonly kind: "page"
  readonly method: "GET" | "POST"
  /** Begins after `/console`. */
  readonly path: string
  /** Its entry in the navigation. Entries are sorted by `order`. */
  readonly entry?: { readonly name: string; readonly order: number }
  /** The largest form in bytes, if that exceeds the usual limit of a request body. */
  readonly longestBody?: number
  /** Shows the page. A `UserError` is shown to the reader with status 400. */
  show(visit: Visit): Response | Promise<Response>
}

/** The places for sections, with the value that sections get there. */
interface Places {
  /** At the top of the overview: what is wrong with the service; empty if nothing. */
  readonly trouble: undefined
  readonly overview: undefined
  /** After the facts about the service, on the overview and on the configuration page. */
  readonly service: undefined
  /** The user name. */
  readonly partner: string
  /** The user name. After the account's sessions. */
  readonly account: string
  /** The user name. After the forms that change the account. */
  readonly "account-end": string
  /** The id. */
  readonly event: string
  /**
   * The user name, to offer only what that account may read; undefined to offer everything. Suggestion lists for a
   * page's fields: `events` (values are ids) and `organizations` (values are slugs; always all).
   */
  readonly choices: string | undefined
}

export type Place = keyof Places
export type Subject<P extends Place> = Places[P]

/** A section at one of the places on a page. Sections at the same place are sorted by `order`. */
export type Section = { [P in Place]: SectionOf<P> }[Place]

interface SectionOf<P extends Place> {
  readonly kind: "section"
  readonly place: P
  readonly order: number
  render(visit: Visit, subject: Subject<P>): Content | Promise<Content>
}

/** Finds things by the text that an operator typed into the search. Hits are sorted by their finder's `order`. */
export interface Finder {
  readonly kind: "finder"
  readonly order: number
  /** Returns at most `mostHits`, the best first. */
  find(visit: Visit, text: string): readonly Hit[] | Promise<readonly Hit[]>
}

/** A search result. */
export interface Hit {
  /** The kind of thing, such as `Event`. */
  readonly kind: string
  readonly name: Content
  /** The path of its page, after `/console`. */
  readonly path: string
  /** What distinguishes it from others. */
  readonly about?: Content
}

/** An operator's request for a page. */
export type Visit = InternalContext & { readonly site: Site }

/** The mounted pages and sections. */
export interface Site {
  readonly pages: readonly ConsolePage[]
  /** The navigation. */
  readonly entries: readonly Entry[]
  readonly link: Links
  /** Shows the sections of a place. */
  sections<P extends Place>(
    place: P,
    visit: Visit,
    subject: Subject<P>,
  ): Promise<readonly Content[]>
  /** Asks all finders. */
  find(visit: Visit, text: string): Promise<readonly Hit[]>
}

/** An entry of the navigation. */
export interface Entry {
  /** The path of its page. */
  readonly path: string
  readonly name: string
}
