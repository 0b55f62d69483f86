import { type InternalContext, UserError } from "../../../../core/capability.ts"
import { parseEnd } from "../../../../core/commands.ts"
import { quoted } from "../../../design/design.ts"
import { revokeSessions, setDisabled, setPassword } from "../change-account.ts"
import { endSession } from "../end-session.ts"
import { grantAccess, type GrantLimits, type GrantTarget, withdrawAccess } from "../grants.ts"
import { hashNewPassword } from "../hash-new-password.ts"

/** The fields of a form. */
export type Form = ReadonlyMap<string, string>

/** A change of an account, as a form asks for it. */
export interface Action {
  /** What the button says. */
  readonly label: string
  /** What has been done, for the page after it. */
  readonly done: string
  /** What it cuts off. If it does, a page asks for confirmation. */
  readonly effect?: string
  /** The arguments of the same command. */
  readonly command: (name: string, form: Form) => string
  readonly run: (
    internals: InternalContext["internals"],
    name: string,
    form: Form,
  ) => Promise<unknown>
}

/** The changes of an account, by the value of the button. */
export const actions: ReadonlyMap<string, Action> = new Map(Object.entries<Action>({
  password: {
    label: "Change the password",
    done: "The password is changed, and all sessions have ended.",
    command: (name) => `account passwd ${name}`,
    async run({ database, author, plan }, name, form) {
      if (form.get("sure") !== "yes") {
        throw new UserError("Confirm that its sessions end. Nothing was changed.")
      }
      const passwordHash = await hashNewPassword(form.get("password") ?? "", {
        username: name,
        kind: plan.session.passwords,
      })
      await setPassword(database, name, passwordHash, author)
    },
  },
  disable: {
    label: "Disable",
    done: "The account is disabled.",
    effect: "It cannot log in any more, and all its sessions end.",
    command: (name) => `account disable ${name}`,
    async run({ database, author }, name) {
      if (name === author.actor) {
        throw new UserError("This is your own account: another operator can disable it.")
      }
      await setDisabled(database, name, true, { by: author })
    },
  },
  enable: {
    label: "Enable",
    done: "The account may log in again.",
    command: (name) => `account disable ${name} --undo`,
    run: ({ database, author }, name) => setDisabled(database, name, false, { by: author }),
  },
  "end-session": {
    label: "End the session",
    done: "The session has ended.",
    effect: "The program or person that uses it gets 401 from now on.",
    command: (_, form) => `account end-session ${quoted((form.get("session") ?? "").slice(0, 8))}`,
    run: ({ database, author }, _, form) =>
      endSession(database, form.get("session") ?? "", "revoked", author),
  },
  "end-sessions": {
    label: "End all sessions",
    done: "All sessions have ended.",
    effect: "A program that uses the account gets 401 until the next log-in.",
    command: (name) => `account revoke ${name}`,
    run: ({ database, author }, name) => revokeSessions(database, name, author),
  },
  grant: {
    label: "Grant",
    done: "The grant counts from the next request on.",
    command: (name, form) =>
      [`access grant ${name}`, targetFlag(form), ...limitFlags(form)].join(" "),
    run: ({ database, author }, name, form) =>
      grantAccess(database, name, targetOf(form), limitsOf(form), author),
  },
  withdraw: {
    label: "Withdraw",
    done: "The grant is withdrawn.",
    effect: "From its next request on, it gets 404 for the events of this grant.",
    command: (name, form) => `access withdraw ${name} ${targetFlag(form)}`,
    run: ({ database, author }, name, form) =>
      withdrawAccess(database, name, targetOf(form), author),
  },
}))

/** @throws {UserError} unless the form names an organization or an event. */
function targetOf(form: Form): GrantTarget {
  const [organization = "", event = ""] = [form.get("organization"), form.get("event")]
    .map((each) => each?.trim())
  if ((organization === "") === (event === "")) {
    throw new UserError("Name an organization or an event. Nothing was changed.")
  }
  return event === "" ? { organization } : { event: event.toLowerCase() }
}

function targetFlag(form: Form): string {
  const event = form.get("event")
  return event
    ? `--event ${quoted(event)}`
    : `--organization ${quoted(form.get("organization") ?? "")}`
}

/** @throws {UserError} if the last day is not a date. */
function limitsOf(form: Form): GrantLimits {
  const [until = "", from = ""] = [form.get("until"), form.get("from")]
  const networks = networksIn(from)
  return {
    ends: until === "" ? undefined : parseEnd(until),
    networks: networks.length === 0 ? undefined : networks,
  }
}

function limitFlags(form: Form): string[] {
  const until = form.get("until")
  const networks = networksIn(form.get("from") ?? "").map((each) => `--from ${quoted(each)}`)
  return [...until ? [`--until ${until}`] : [], ...networks]
}

function networksIn(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean)
}
