import { showNamedAccount } from "./session.js"

showNamedAccount()
rememberLanguage()
markSection()

/** Keeps the language that the reader chooses for the examples. */
function rememberLanguage() {
  const key = "event-export.language"
  const stored = document.getElementById(localStorage.getItem(key) ?? "")
  if (stored instanceof HTMLInputElement && stored.name === "language") stored.checked = true
  for (const choice of document.querySelectorAll("input[name=language]")) {
    choice.addEventListener("change", () => localStorage.setItem(key, choice.id))
  }
}

/** Marks the section that is being read in the contents. */
function markSection() {
  const links = new Map(
    [...document.querySelectorAll(".contents a")].map((link) => [link.getAttribute("href"), link]),
  )
  const visible = new Set()
  const sections = [...document.querySelectorAll("main section")]
  const mark = () => {
    const current = sections.find((section) => visible.has(section))
    for (const link of links.values()) link.removeAttribute("aria-current")
    const link = current && links.get(`#${current.getAttribute("aria-labelledby")}`)
    link?.setAttribute("aria-current", "true")
  }
  // A section counts once it has reached the upper part of the window.
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) visible.add(target)
      else visible.delete(target)
    }
    mark()
  }, { rootMargin: "-10% 0px -70% 0px" })
  for (const section of sections) observer.observe(section)
}
