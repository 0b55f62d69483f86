import { parseMoment } from "../../../core/capability.ts"
import {
  command,
  type Content,
  type Html,
  html,
  quoted,
  readOwnForm,
  redirectTo,
  state,
  time,
} from "../../design/design.ts"
import {
  type Addition,
  mayChange,
  queryOf,
  sessionOf,
  tokenField,
  type Visit,
} from "../../service/console/page.ts"
import { type Contact, mute, readContact, setContact, unmute } from "./contacts.ts"
import { longest } from "./tables.ts"

/** The longest form in bytes: each character of its texts may take twelve. */
const longestForm = 64 * 1024

/** Whom to tell about a partner, and its mute, beside its state. */
export const pages: readonly Addition[] = [
  { kind: "section", place: "partner-head", order: 10, render: showContact },
  {
    kind: "page",
    method: "POST",
    path: "/partners/:name/contact",
    longestBody: longestForm,
    show: changeContact,
  },
]

type Form = ReadonlyMap<string, string>

/** The changes, by the value of the button: what they do, and what the page says after it. */
const changes: Readonly<
  Record<
    string,
    { readonly done: string; run(visit: Visit, name: string, form: Form): Promise<void> }
  >
> = {
  contact: {
    done: "The contact is noted.",
    run: ({ inside: { database, author } }, name, form) =>
      setContact(
        database,
        name,
        { contact: form.get("contact"), notes: form.get("notes") },
        author,
      ),
  },
  mute: {
    done: "The partner is muted.",
    run: ({ inside: { database, author } }, name, form) =>
      mute(database, name, {
        until: parseMoment(form.get("until") ?? ""),
        because: form.get("because") ?? "",
      }, author),
  },
  unmute: {
    done: "The mute has ended.",
    run: ({ inside: { database, author } }, name) => unmute(database, name, author),
  },
}

/** Changes what is noted about a partner, and shows its page again. */
async function changeContact(visit: Visit): Promise<Response> {
  const name = visit.params["name"] ?? ""
  const form = await readOwnForm(visit.request, sessionOf(visit), longestForm)
  const key = form.get("action") ?? ""
  const change = Object.hasOwn(changes, key) ? changes[key] : undefined
  await change?.run(visit, name, form)
  return redirectTo(
    `/console/partners/${encodeURIComponent(name)}?noted=${encodeURIComponent(key)}#contact`,
  )
}

async function showContact(visit: Visit, name: string): Promise<Html> {
  const known = await readContact(visit.inside.readable, name)
  const { now } = sessionOf(visit)
  return html`
    <section id="contact" aria-labelledby="contact-title">
      <h2 id="contact-title">Contact</h2>
      ${outcome(visit)}
      ${known.muted && html`
        <p class="message">${state("off", "Muted")}, it ends ${time(known.muted.until, now)}.
        <span class="lines">${known.muted.because}</span></p>
      `}
      <p class="lines">${known.contact || html`
        <span class="quiet">Nobody is noted.</span>
      `}</p>
      ${known.notes && html`<p class="lines">${known.notes}</p>`}
      ${mayChange(visit) && html`
        <details>
          <summary>Change the contact</summary>
          ${contactForm(visit, name, known)}
        </details>
        <details>
          <summary>${known.muted ? "Change or end the mute" : "Mute"}</summary>
          ${muteForm(visit, name, known)}
        </details>
      `}
    </section>
  `
}

function outcome(visit: Visit): Content {
  const key = queryOf(visit, "noted")
  const done = Object.hasOwn(changes, key) && changes[key]?.done
  return done && html`<p class="message good" role="status">${done}</p>`
}

function contactForm(visit: Visit, name: string, { contact, notes }: Contact): Html {
  return html`
    <form class="fields" method="post" action="${actionOf(name)}">
      ${tokenField(visit)}
      <label for="contact-text">Names, addresses, numbers</label>
      <input id="contact-text" name="contact" maxlength="${longest.contact}" value="${contact}"
        autocomplete="off">
      <label for="contact-notes">Notes</label>
      ${notesArea(notes)}
      <button class="main" name="action" value="contact">Save</button>
      ${command(`account contact ${quoted(name)} --contact TEXT --notes TEXT`)}
    </form>
  `
}

/** White space counts here, so this is on one line. */
function notesArea(notes: string): Html {
  return html`<textarea id="contact-notes" name="notes" rows="4" maxlength="${longest.notes}">${notes}</textarea>`
}

function muteForm(visit: Visit, name: string, { muted }: Contact): Html {
  return html`
    <form class="fields narrow" method="post" action="${actionOf(name)}">
      ${tokenField(visit)}
      <p class="hint">Until then alerts do not fire for it, and it stands below the others that are wrong.</p>
      <label for="mute-until">Until the end of the day (UTC)</label>
      <input id="mute-until" name="until" type="date" required>
      <label for="mute-because">Because</label>
      <input id="mute-because" name="because" maxlength="${longest
        .because}" required autocomplete="off"
        value="${muted?.because ?? ""}">
      <button class="main" name="action" value="mute">Mute</button>
      ${muted && html`
        <button name="action" value="unmute" formnovalidate>End the mute</button>
      `}
      ${command(`account mute ${quoted(name)} --until DAY --because TEXT`)}
    </form>
  `
}

function actionOf(name: string): string {
  return `/console/partners/${encodeURIComponent(name)}/contact`
}
