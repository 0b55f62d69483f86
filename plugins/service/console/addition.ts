import type { InternalContext } from "../../../core/capability.ts"
import type { Content } from "../../design/design.ts"
import type { Links } from "./links.ts"

/** What the console consists of: its own pages, sections and finders, and those that capabilities add. */
export type Addition = ConsolePage | Section | Finder

/** A page for operators. */
export interface ConsolePage {
  readonly kind: "page"
  readonly method: "GET" | "POST"
  /** Begins after `/console`. */
  readonly path: string
  /** Its entry in the navigation. Entries are sorted by `order`. */
  readonly entry?: { readonly name: string; readonly order: number }
  /** The longest form in bytes, if it is more than a request body may usually have. */
  readonly longestBody?: number
  /** An error for people (`UserError`) is shown to them with status 400. */
  show(visit: Visit): Response | Promise<Response>
}

/** The places for sections, with what a section gets to know there. */
interface Places {
  /** On top of the overview: what is wrong with the service. Empty if nothing is. */
  readonly trouble: undefined
  readonly overview: undefined
  /** After the facts about the service, on the overview and beside the configuration. */
  readonly service: undefined
  /** The user name. */
  readonly partner: string
  /** The user name. After the sessions of the account. */
  readonly account: string
  /** The user name. After the forms to change the account. */
  readonly "account-end": string
  /** The id. */
  readonly event: string
  /**
   * The user name, if only what the account may read is to be chosen from. Lists for fields, which begin to be shown by
   * what is in a page: `events` (values are ids), and of all `organizations` (values are slugs).
   */
  readonly choices: string | undefined
}

export type Place = keyof Places
export type Subject<P extends Place> = Places[P]

/** A section of a page, at a place that the page has for them. Those of a place are sorted by `order`. */
export type Section = { [P in Place]: SectionOf<P> }[Place]

interface SectionOf<P extends Place> {
  readonly kind: "section"
  readonly place: P
  readonly order: number
  render(visit: Visit, subject: Subject<P>): Content | Promise<Content>
}

/** Finds things by a text that an operator typed into the search. Hits are sorted by `order` of their finders. */
export interface Finder {
  readonly kind: "finder"
  readonly order: number
  /** Returns at most `mostHits`, the best first. */
  find(visit: Visit, text: string): readonly Hit[] | Promise<readonly Hit[]>
}

/** Something that was found. */
export interface Hit {
  /** What it is, such as `Event`. */
  readonly kind: string
  readonly name: Content
  /** The path of its page, after `/console`. */
  readonly path: string
  /** What tells it from others. */
  readonly about?: Content
}

/** A request of an operator for a page. */
export type Visit = InternalContext & { readonly site: Site }

/** The pages and sections that are mounted. */
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
