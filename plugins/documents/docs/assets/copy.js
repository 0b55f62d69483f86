/** Shows the buttons that copy examples. Browsers let a page write to the clipboard only over TLS, or from this machine. */
export function offerCopies() {
  for (const example of navigator.clipboard ? document.querySelectorAll(".example") : []) {
    const button = /** @type {HTMLButtonElement} */ (example.querySelector(".copy"))
    const code = /** @type {HTMLElement} */ (example.querySelector("code"))
    button.hidden = false
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent ?? "")
      button.textContent = "Copied"
      setTimeout(() => (button.textContent = "Copy"), 2000)
    })
  }
}
