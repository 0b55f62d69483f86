import {
  codeFigure,
  command,
  type Content,
  duration,
  fold,
  type Html,
  html,
  minute,
  moment,
  nameList,
  number,
  pair,
  plot,
  quoted,
  state,
  table,
  time,
} from "../../../design/design.ts"
import type { Visit } from "../addition.ts"
import { respond, sessionOf } from "../reader.ts"

/** Shows all that pages are made of, each with its name, to those who write pages. */
export function showComponents(visit: Visit): Response {
  const { now } = sessionOf(visit)
  const groups = Object.entries({ ...texts(now), ...figures(now), ...forms() })
  return respond(visit, {
    title: "Components",
    contents: groups.map(([title]) => ({ id: idOf(title), title })),
    main: [
      html`
        <p>Pages are made of these. Names in parentheses are functions of
        <code>plugins/design/design.ts</code>; the others are classes of its style sheet.</p>
      `,
      groups.map(([title, parts]) =>
        html`
          <section aria-labelledby="${idOf(title)}">
            <h2 id="${idOf(title)}">${title}</h2>
            ${Object.entries(parts).map(([name, shown]) =>
              html`<h3><code>${name}</code></h3>\n${shown}\n`
            )}
          </section>
        `
      ),
    ],
  })
}

type Group = Readonly<Record<string, Content>>

function idOf(title: string): string {
  return title.toLowerCase().replaceAll(" ", "-")
}

function texts(now: number): Readonly<Record<string, Group>> {
  return {
    "Text": {
      ".lead": html`<p class="lead">The sentence that matters most.</p>`,
      ".about": html`
        <ul class="about">
          <li>A fact.</li>
          <li>Another fact.</li>
        </ul>
      `,
      ".quiet": html`<p class="quiet">What few need.</p>`,
      "data-copy": html`<p>Request id: <code data-copy="0b9c7a52-1f1e">0b9c7a52…</code></p>`,
      "command()": command(`account disable ${quoted("a name")}`),
    },
    "States": {
      "state()": html`<p>${
        (["bad", "warn", "good", "note", "off"] as const).map((grade) => [state(grade, grade), " "])
      }</p>`,
      ".message": [
        html`<p class="message">Something to know.</p>`,
        html`<p class="message good">It is done.</p>`,
        html`<p class="message warn">It will go wrong.</p>`,
        html`<p class="message bad">It went wrong.</p>`,
      ],
      ".well": html`<p class="well">${state("good", "All is well")}</p>`,
      ".counts": html`
        <ul class="counts">
          <li><a href="#states" aria-current="true"><b>3</b> partners</a></li>
          <li><a href="#states"><b>1</b> ${state("bad", "stuck")}</a></li>
        </ul>
      `,
    },
    "Numbers and times": {
      "number()": html`<p>${number(1234567)}, ${number(null)}</p>`,
      "time()": html`<p>${time(now - 90, now)}, ${time(now + 90_000, now)}, ${time(null, now)}</p>`,
      "moment()": html`<p>${moment(now - 90, now)}</p>`,
      "minute()": html`<p>${minute(now)}</p>`,
      "duration()": html`<p>${duration(5400)}</p>`,
    },
  }
}

function figures(now: number): Readonly<Record<string, Group>> {
  const minutes = Array.from({ length: 30 }, (_, index) => now - now % 60 - (29 - index) * 60)
  const rows = (["bad", "good"] as const).map((grade, index) => [
    `partner-${index + 1}`,
    state(grade, grade),
    number(index * 1500),
    html`<span class="why">Why it is so.</span>`,
  ])
  return {
    "Lists": {
      "table()": [
        table("Partners", [
          { name: "Partner", link: "#lists" },
          { name: "State", link: "#lists", sorted: "descending" },
          { name: "Requests", isNumber: true },
          "Why",
        ], rows),
        table("Without rows", ["Partner"], []),
      ],
      "fold()": fold(state("good", "in sync"), 2, nameList(["partner-3", "partner-4"])),
      "nameList()": nameList(["partner-1", "partner-2", "partner-3"]),
      ".facts": html`
        <dl class="facts">
          <dt>Role</dt>
          <dd>partner</dd>
          <dt>Last request</dt>
          <dd>${time(now - 5, now)}</dd>
        </dl>
      `,
      ".hits": html`
        <ul class="hits">
          <li><span class="kind">Event</span> <a href="#lists">Autumn Gala</a></li>
          <li><span class="kind">Partner</span> <a href="#lists">partner-1</a></li>
        </ul>
      `,
    },
    "Code": {
      "codeFigure()": codeFigure("print('hello')  # a comment\n", {
        syntax: "python",
        label: "Python",
      }),
      "pair()": pair(
        codeFigure(`curl -sS -b cookies.txt "$EVENT/guests?limit=1"\n`, {
          syntax: "sh",
          label: "Request",
        }),
        codeFigure(`[{\n  "id": "c2a9d3f4",\n  "updated": 1790003600,\n  "line2": null\n}]\n`, {
          syntax: "json",
          label: "Response",
        }),
      ),
    },
    "Charts": {
      "plot()": plot(
        "Requests per minute",
        ["Requests", "Errors"],
        minutes.map((at, index) => [at, (index * 7) % 20, index === 12 ? 3 : 0]),
        { marks: [{ at: minutes[20] ?? now, word: "reload", detail: "an example" }] },
      ),
    },
  }
}

function forms(): Readonly<Record<string, Group>> {
  return {
    "Forms": {
      ".fields .columns": html`
        <form class="fields columns" action="#forms">
          <div><label for="a-name">Name</label><input id="a-name" placeholder="partner-1"></div>
          <div><label for="a-role">Role</label><select id="a-role"><option>partner</option></select></div>
          <div><label for="a-note">Note</label><textarea id="a-note" rows="2"></textarea></div>
        </form>
      `,
      "button": html`
        <p><button type="button" class="main">Main</button> <button type="button">Other</button>
        <button type="button" class="danger">Danger</button> <a class="button" href="#forms">Link</a></p>
      `,
      ".bar .filter": filter,
    },
  }
}

const filter: Html = html`
  <div class="bar">
    <p class="chosen"><a href="#forms">stuck ✕</a></p>
    <form class="filter" action="#forms"><input aria-label="Part of a name"
      placeholder="Part of a name"><button type="button">Filter</button></form>
  </div>
`
