// Does not compile unless the present contract of plugins keeps the promises of the last release's: everything
// that it exported is there, takes what it took, and returns what it returned.
import type * as conformance from "../../plugins/capabilities/conformance/conformance.ts"
import type * as plugin from "../../core/plugin.ts"
import type * as last from "./last-contract.ts"

type Last = typeof last.plugin
type Present = typeof plugin

/** The names of exports that are gone, or cannot take the place of the former ones. */
type Broken<Was, Is> = {
  [Name in keyof Was]: Name extends keyof Is ? Is[Name] extends Was[Name] ? never : Name : Name
}[keyof Was]

/** Compiles only with `never`. */
type None<_Names extends never> = true

export type PluginHolds = None<Broken<Last, Present>>
export type ConformanceHolds = None<Broken<typeof last.conformance, typeof conformance>>

/** The present contract with another export in the place of one. */
type With<Other> = Omit<Present, keyof Other> & Other

// An export that takes more, or returns more, may take the place of the former one.
export type MayChange = None<Broken<Last, With<{ csv: (rows: unknown) => "" }>>>

// What must not compile: this shows that the comparison above notices each of these.
export type Noticed = [
  // @ts-expect-error: an export is gone
  None<Broken<Last, Omit<Present, "pick">>>,
  // @ts-expect-error: a function has become a value
  None<Broken<Last, With<{ granted: string }>>>,
  // @ts-expect-error: a function takes less
  None<Broken<Last, With<{ csv: (rows: readonly (readonly string[])[]) => string }>>>,
  // @ts-expect-error: a function needs more
  None<Broken<Last, With<{ csv: (rows: unknown, separator: string) => string }>>>,
  // @ts-expect-error: a function returns something else
  None<Broken<Last, With<{ csv: (rows: unknown) => Uint8Array }>>>,
  // @ts-expect-error: a record has lost a field
  None<Broken<Last, With<{ guest: Omit<Present["guest"], "fields"> }>>>,
  // @ts-expect-error: a problem is gone, and its code
  None<Broken<Last, With<{ problems: Omit<Present["problems"], "not_found"> }>>>,
  // @ts-expect-error: a plugin has to declare more
  None<Broken<Last, With<{ definePlugin: Demanding }>>>,
]

type Demanding = <S>(plugin: plugin.Plugin<S> & { readonly licence: string }) => plugin.Plugin<S>
