import { filesOf, type KitFile, kitFiles } from "./files.ts"
import { escapeHtml } from "../../../core/plugin.ts"
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

/** Returns the page with the files of an account. */
export function kitPage(kit: Kit): string {
  const byFamily = [...Map.groupBy(linkedFiles(kit), ({ family }) => family)]
    .map(([family, files]) => ({ title: escapeHtml(family ?? "All families"), files }))
  const entries = byFamily.map(({ title }, index) =>
    `<li><a href="#files-${index}">${title}</a></li>`
  )
  const sections = byFamily.map(({ title, files }, index) =>
    `<section aria-labelledby="files-${index}">
<h2 id="files-${index}">${title}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Files: ${title}">
<table>
<thead><tr><th scope="col">File</th><th scope="col">Contents</th><th scope="col">Needs</th></tr></thead>
<tbody>
${files.map(rowOf).join("\n")}
</tbody>
</table>
</div>
</section>`
  )
  const none = "<p>Your account has no family yet. Ask the operator.</p>"
  const contents = `<nav class="contents" aria-label="Contents">
<ol>
${entries.join("\n")}
</ol>
</nav>`
  return pageOf(
    `<h1>Kit</h1>
<p>These files are made for ${
      escapeHtml(kit.username)
    }: with your paths, your fields and an event that you can read.
They contain no password and no token. For a tool that stores a token, make one that lives for weeks with
<code>POST /session/tokens</code>, which shows it once. The token of a log-in ends within hours. The
<a href="/docs">guide</a> tells how.</p>
${kit.families.length === 0 ? none : sections.join("\n")}`,
    contents,
  )
}

/** Returns the page for a visitor who is not logged in, or may not have the kit. */
export function refusedPage(reason: string): string {
  return pageOf(`<h1>Kit</h1>
<p>${escapeHtml(reason)}</p>
<p><a href="/docs/reference#log-in">Log in</a>, then come back to <a href="/docs/kit">the kit</a>.</p>`)
}

function rowOf({ name, about, credential, url }: LinkedFile): string {
  const link = `<a href="${escapeHtml(url)}" download="${escapeHtml(name)}">${escapeHtml(name)}</a>`
  return `<tr><td>${link}</td><td>${escapeHtml(about)}</td><td>${escapeHtml(credential)}</td></tr>`
}

/** Puts a page into the frame of the guide, whose style sheet it loads. */
function pageOf(main: string, contents = ""): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Kit – event-export</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/style.css">
<script src="/docs/theme.js"></script>
</head>
<body class="guide">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<p class="brand">event-export</p>
<nav aria-label="Pages">
<a href="/docs">Guide</a>
<a href="/docs/reference">Reference</a>
<a href="/docs/kit" aria-current="page">Kit</a>
<a href="/docs/changes">Changes</a>
</nav>
<p class="account"><button type="button" id="theme" hidden></button></p>
</header>
${contents === "" ? "" : '<div class="columns">'}
${contents}
<main id="main" tabindex="-1">
${main}
</main>
${contents === "" ? "" : "</div>"}
</body>
</html>
`
}
