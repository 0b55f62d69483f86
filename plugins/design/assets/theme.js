// Runs before the page is drawn, so that it never flashes in the other colours.
;(() => {
  const key = "event-export.theme"
  const themes = ["auto", "light", "dark"]
  const root = document.documentElement
  const system = matchMedia("(prefers-color-scheme: dark)")

  function chosen() {
    const stored = localStorage.getItem(key) ?? "auto"
    return themes.includes(stored) ? stored : "auto"
  }

  function apply() {
    const theme = chosen()
    if (theme === "auto") delete root.dataset.theme
    else root.dataset.theme = theme
    const dark = theme === "dark" || theme === "auto" && system.matches
    root.dataset.shown = dark ? "dark" : "light"
    const button = document.getElementById("theme")
    if (button) {
      button.hidden = false
      button.title = button.textContent = `Theme: ${theme}`
    }
    dispatchEvent(new Event("event-export.theme"))
  }

  apply()
  system.addEventListener("change", apply)
  // The reader changed the theme in another window.
  addEventListener("storage", apply)
  addEventListener("DOMContentLoaded", () => {
    apply()
    document.getElementById("theme")?.addEventListener("click", () => {
      const next = themes[(themes.indexOf(chosen()) + 1) % themes.length] ?? "auto"
      if (next === "auto") localStorage.removeItem(key)
      else localStorage.setItem(key, next)
      apply()
    })
  })
})()
