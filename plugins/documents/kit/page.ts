import { type FramedPage, html, table } from "../../design/design.ts"
import { filesOf, type KitFile, kitFiles } from "./files.ts"
import type { Kit } from "./model.ts"

/** A file of a kit, with its URL. */
interface LinkedFile {
  readonly name: string
  readonly about: string
  readonly credential: string
  /** From the root. */
  readonly url: string
  /** The prefix of the family that it is about; null if it is about all. */
  readonly family: string | null
}

/** Returns the files of a kit with their URLs. Those of the first family have the plain URLs. */
export function linkedFiles(kit: Kit): LinkedFile[] {
  const linked = (files: readonly KitFile[], family: string | null, query: string) =>
    files.map(({ name, about, credential }) => (
      { name, about, credential, url: `/docs/kit/${name}${query}`, family }
    ))
  return [
    ...linked(kitFiles.filter(({ isCommon }) => isCommon), null, ""),
    ...kit.families.flatMap((family, index) =>
      linked(
        filesOf(kit, family).filter(({ isCommon }) => !isCommon),
        family.prefix,
        index === 0 ? "" : `?family=${encodeURIComponent(family.prefix)}`,
      )
    ),
  ]
}

/** Returns the page with the files of an account, to put into the frame. */
export function kitPage(kit: Kit): Pick<FramedPage, "title" | "contents" | "main"> {
  const groups = [...Map.groupBy(linkedFiles(kit), ({ family }) => family)]
    .map(([family, files], at) => ({ id: `files-${at}`, title: family ?? "All families", files }))
  return {
    title: "Kit",
    contents: kit.families.length === 0 ? [] : groups,
    main: html`
      <p>These files are made for ${kit
        .username}: with your paths, your fields and an event that you can
      read. They contain no password and no token. For a tool that stores a token,
      <a href="/docs/log-in-and-tokens#tokens">make one</a> that works for weeks.</p>
      ${kit.families.length === 0
        ? html`<p>Your account has no family yet. Ask the operator.</p>`
        : groups.map(({ id, title, files }) =>
          table(html`<b id="${id}">${title}</b>`, ["File", "Contents", "Needs"], files.map(rowOf))
        )}
    `,
  }
}

function rowOf({ name, about, credential, url }: LinkedFile) {
  return [html`<a href="${url}" download="${name}">${name}</a>`, about, credential]
}
