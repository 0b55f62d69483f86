import type { InternalContext } from "../../../core/capability.ts"
import type { Catalogue, Session } from "../../../core/plugin.ts"
import { type Content, type FramedPage, respondPage } from "../../design/design.ts"
import { frameFor } from "../docs/pages.ts"

/** A part of an account's own page, or a form on it, added by a capability. */
export type OwnAddition = OwnSection | OwnItem | OwnForm

/** A section of the page. Sections are sorted by `order`. */
export interface OwnSection {
  readonly kind: "section"
  readonly order: number
  readonly id: string
  readonly title: string
  /** Shows data of the caller's account only; undefined if there is nothing to show. */
  render(visit: OwnVisit): Content | Promise<Content>
}

/** An item in the section about what operators can see. */
export interface OwnItem extends Pick<OwnSection, "order" | "render"> {
  readonly kind: "seen"
}

/** A form that changes something in the caller's account. */
export interface OwnForm {
  readonly kind: "form"
  /** Begins after `/docs/me`. */
  readonly path: string
  /** Applies the form, read with `readOwnForm`. A `UserError` is shown to the reader. */
  submit(visit: OwnVisit): Promise<Response>
}

/** A request for the page of the caller's account. */
export type OwnVisit = InternalContext & { readonly caller: Session; readonly catalogue: Catalogue }

/** Responds with a page of the caller's account, which no cache may keep. */
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

/** Returns a parameter of the page's URL; empty if absent. */
export function queryOf({ request }: OwnVisit, name: string): string {
  return new URL(request.url).searchParams.get(name) ?? ""
}

/** Returns a function that reads once per visit, for several parts of a page. */
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
