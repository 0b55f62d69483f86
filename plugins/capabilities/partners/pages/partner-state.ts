import { type Grade, type Html, state } from "../../../service/console/page.ts"

const grades: Readonly<Record<string, Grade>> = {
  "locked out": "bad",
  stuck: "bad",
  silent: "bad",
  behind: "warn",
  "never polled": "off",
  unread: "off",
  "in sync": "good",
  disabled: "off",
}

/** Shows the state of a partner, or of one of its lists. */
export function partnerState(name: string): Html {
  return state(grades[name] ?? "off", name)
}
