import type { InternalContext } from "../../../core/capability.ts"
import type { Catalogue, Session } from "../../../core/plugin.ts"
import { type Content, type FramedPage, respondPage } from "../../design/design.ts"
import { frameFor } from "../docs/pages.ts"

/** What an account is shown about itself: parts of its page, and forms on it. Capabilities add them. */
export type OwnAddition = OwnSection | OwnItem | OwnForm

/** A section of the page, which are sorted by `order`. */
export interface OwnSection {
  readonly kind: "section"
  readonly order: number
  readonly id: string
  readonly title: string
  /** Returns what it shows of the caller's account, and of no other; undefined if it has nothing to show. */
  render(visit: OwnVisit): Content | Promise<Content>
}

/** An item of what the operator sees. */
export interface OwnItem extends Pick<OwnSection, "order" | "render"> {
  readonly kind: "seen"
}

/** A form, which changes something of the caller's account. */
export interface OwnForm {
  readonly kind: "form"
  /** Begins after `/docs/me`. */
  readonly path: string
  /** Does what it says, if `readOwnForm` reads it. An error for people (`UserError`) is shown to them. */
  submit(visit: OwnVisit): Promise<Response>
}

/** A request for the page of the caller's account. */
export type OwnVisit = InternalContext & { readonly caller: Session; readonly catalogue: Catalogue }

/** Responds with a page of the caller's account. No cache keeps it. */
export function respondMe(
  { caller, catalogue }: OwnVisit,
  page: Pick<FramedPage, "title" | "main" | "contents"> & { readonly status?: number },
): Response {
  return respondPage({
    ...frameFor(catalogue, caller),
    ...page,
    current: "/docs/me",
    headers: { "cache-control": "private, no-store" },
  })
}

/** Returns a parameter of the page's URL; empty if it is missing. */
export function queryOf({ request }: OwnVisit, name: string): string {
  return new URL(request.url).searchParams.get(name) ?? ""
}

/** Returns a reading that several parts of a page share: it is done once for each visit. */
export function oncePerVisit<Result>(
  read: (visit: OwnVisit) => Promise<Result>,
): (visit: OwnVisit) => Promise<Result> {
  const known = new WeakMap<OwnVisit, Promise<Result>>()
  return (visit) => {
    const reading = known.get(visit) ?? read(visit)
    known.set(visit, reading)
    return reading
  }
}
