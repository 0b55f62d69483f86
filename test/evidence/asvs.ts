/**
 * How the service stands to OWASP's Application Security Verification Standard 5.0.0, level 2. The numbers are those of
 * the standard; what it asks for is in it, and is not repeated here.
 */

/** Requirements of one answer, as numbers and ranges: `1.1.1, 1.2.1–1.2.5`. A range has those of levels 1 and 2 in it. */
export interface Answered {
  readonly numbers: string
  readonly text: string
}

/** An answer that tests or files show, by their paths. */
export interface Met extends Answered {
  readonly by: readonly string[]
}

/** A chapter of the standard. Each requirement of levels 1 and 2 is in exactly one answer. */
export interface Chapter {
  readonly chapter: number
  readonly name: string
  readonly met: readonly Met[]
  readonly notApplicable: readonly Answered[]
  readonly notMet: readonly Answered[]
}

/** The levels of the requirements of each section, in their order: `1.2` begins with 1.2.1, of level 1. */
// deno-fmt-ignore
export const levels: Readonly<Record<string, string>> = {
  "1.1": "22", "1.2": "1111122223", "1.3": "112222222223", "1.4": "222", "1.5": "123",
  "2.1": "122", "2.2": "112", "2.3": "12223", "2.4": "23",
  "3.1": "3", "3.2": "113", "3.3": "12223", "3.4": "11222233", "3.5": "11122333", "3.6": "3", "3.7": "22333",
  "4.1": "12233", "4.2": "23333", "4.3": "22", "4.4": "1222",
  "5.1": "2", "5.2": "112333", "5.3": "113", "5.4": "222",
  "6.1": "122", "6.2": "111111112222", "6.3": "11223333", "6.4": "112233", "6.5": "22222333", "6.6": "2223",
  "6.7": "33", "6.8": "2222",
  "7.1": "222", "7.2": "1111", "7.3": "22", "7.4": "11222", "7.5": "223", "7.6": "22",
  "8.1": "1233", "8.2": "1123", "8.3": "133", "8.4": "23",
  "9.1": "111", "9.2": "1222",
  "10.1": "22", "10.2": "223", "10.3": "22223", "10.4": "1111122222233333", "10.5": "22222", "10.6": "22",
  "10.7": "222",
  "11.1": "2233", "11.2": "22233", "11.3": "11233", "11.4": "1222", "11.5": "23", "11.6": "23", "11.7": "33",
  "12.1": "12233", "12.2": "11", "12.3": "22223",
  "13.1": "2333", "13.2": "222223", "13.3": "2233", "13.4": "1222233",
  "14.1": "22", "14.2": "12223333", "14.3": "122",
  "15.1": "12233", "15.2": "12233", "15.3": "1222222", "15.4": "3333",
  "16.1": "2", "16.2": "22222", "16.3": "2222", "16.4": "222", "16.5": "2223",
  "17.1": "23", "17.2": "22223333", "17.3": "22",
}

/** The numbers of all requirements of levels 1 and 2, in the standard's order. */
export const requirements: readonly string[] = Object.entries(levels).flatMap(([section, each]) =>
  [...each].flatMap((level, index) => level === "3" ? [] : [`${section}.${index + 1}`])
)

/**
 * Returns the requirements of levels 1 and 2 that a text such as `1.1.1, 1.2.1–1.2.5` names.
 * @throws {Error} if it names one that is none of them, or a range that is none.
 */
export function expandNumbers(text: string): string[] {
  return text.split(", ").flatMap((part) => {
    const [first = "", last = first, ...rest] = part.split("–")
    const [from, to] = [requirements.indexOf(first), requirements.indexOf(last)]
    if (from < 0 || to < from || rest.length > 0) {
      throw new Error(`${part} is no requirement of level 1 or 2, nor a range of them`)
    }
    return requirements.slice(from, to + 1)
  })
}

/** The chapters, in the standard's order. */
export const asvs: readonly Chapter[] = [
  {
    chapter: 1,
    name: "Encoding and Sanitization",
    met: [
      {
        numbers: "1.1.1",
        text:
          "Decodes paths and parameters once, before it checks them; refuses dot segments, backslashes and wrong " +
          "percent-encoding.",
        by: ["test/core/http/serve.test.ts", "test/core/request/bad-input.test.ts"],
      },
      {
        numbers: "1.1.2, 1.2.1, 1.3.7",
        text:
          "Escapes in the last step: templates are code and escape every value, CSV and file names as well.",
        by: [
          "test/plugins/design/html.test.ts",
          "test/core/records/csv.test.ts",
          "test/plugins/documents/generated-texts.test.ts",
        ],
      },
      {
        numbers: "1.2.2",
        text: "Encodes what it puts into URLs. URLs that others name have to be https.",
        by: [
          "test/plugins/service/console/console.test.ts",
          "test/plugins/capabilities/ping/target.test.ts",
          "test/core/config/read.test.ts",
        ],
      },
      {
        numbers: "1.2.3",
        text: "Writes JSON by a serializer only; names in programs that it generates stay text.",
        by: [
          "test/core/records/json-text.test.ts",
          "test/plugins/documents/generated-texts.test.ts",
        ],
      },
      {
        numbers: "1.2.4",
        text: "Binds every value; tested through every input.",
        by: ["test/hostile/input.test.ts"],
      },
      {
        numbers: "1.2.5",
        text:
          "Starts one program, `systemd-notify`, without a shell and with nothing that a client sent.",
        by: [
          "plugins/capabilities/systemd/service-manager.ts",
          "test/plugins/capabilities/systemd/service-manager.test.ts",
        ],
      },
      {
        numbers: "1.2.9",
        text: "Makes no regular expression of what clients send; `q` finds wildcards literally.",
        by: ["test/hostile/input.test.ts", "plugins/capabilities/servers/replication-filters.ts"],
      },
      {
        numbers: "1.3.2",
        text:
          "Compiles one kind of function, from the names of fields in the code; no input reaches it.",
        by: ["core/records/projection.ts"],
      },
      {
        numbers: "1.3.3, 1.3.5",
        text:
          "Limits the length and the characters of every input; shows names and notes as text, in Markdown, on " +
          "terminals and in shell lines as well.",
        by: [
          "test/plugins/documents/generated-texts.test.ts",
          "test/core/kernel/printable.test.ts",
          "test/core/request/bad-input.test.ts",
        ],
      },
      {
        numbers: "1.3.6",
        text:
          "Sends pings to https URLs on public addresses only, checked when the connection is made; `ping.hosts` is " +
          "a list of what is allowed.",
        by: [
          "test/plugins/capabilities/ping/target.test.ts",
          "test/plugins/capabilities/ping/addresses.test.ts",
          "test/plugins/capabilities/ping/post.test.ts",
        ],
      },
      {
        numbers: "1.4.1–1.4.3",
        text:
          "JavaScript manages memory and has no overflows; memory that answers share has one owner at a time. " +
          "Numbers are read within limits.",
        by: [
          "test/core/http/slabs.test.ts",
          "test/journeys/slabs.test.ts",
          "test/openapi/parameters.test.ts",
        ],
      },
      {
        numbers: "1.5.2",
        text: "Reads JSON, forms and YAML as plain data, against strict schemas.",
        by: ["test/hostile/input.test.ts", "test/core/config/read.test.ts"],
      },
    ],
    notApplicable: [
      {
        numbers: "1.2.6–1.2.8, 1.3.1, 1.3.4, 1.3.8–1.3.11, 1.5.1",
        text:
          "There is no LDAP, XPath, LaTeX, JNDI, memcache, e-mail, format string or XML, and no HTML or SVG of users.",
      },
    ],
    notMet: [],
  },
  {
    chapter: 2,
    name: "Validation and Business Logic",
    met: [
      {
        numbers: "2.1.1, 2.2.1, 2.2.2",
        text:
          "Documents each parameter and setting, and checks all of them in the service: what is unknown, repeated or " +
          "out of range is refused.",
        by: [
          "plugins/documents/docs/pages/parameters.md",
          "test/openapi/parameters.test.ts",
          "test/core/request/bad-input.test.ts",
          "test/core/config/read.test.ts",
        ],
      },
      {
        numbers: "2.1.2, 2.2.3",
        text:
          "Says which parameters exclude each other, and refuses them together; a cursor counts for one account and " +
          "list.",
        by: [
          "plugins/documents/docs/pages/digests.md",
          "core/request/listing/query.ts",
          "test/plugins/capabilities/feed/feed.test.ts",
        ],
      },
      {
        numbers: "2.1.3, 2.3.2, 2.4.1",
        text: "Documents limits of each account, address and process, and keeps them.",
        by: [
          "plugins/documents/docs/pages/parameters.md",
          "test/core/request/limits.test.ts",
          "test/hostile/one-account.test.ts",
          "test/hostile/strangers.test.ts",
        ],
      },
      {
        numbers: "2.3.1",
        text: "Sends no ping before a receiver has echoed a challenge.",
        by: ["test/plugins/capabilities/ping/registry.test.ts"],
      },
      {
        numbers: "2.3.3",
        text:
          "Changes accounts, grants and sessions in one transaction with their entry in the audit log.",
        by: ["test/plugins/capabilities/sessions/account-sessions.test.ts"],
      },
      {
        numbers: "2.3.4",
        text:
          "Locks before it counts: no account gets an eleventh token or a sixth receiver by asking at once.",
        by: [
          "test/plugins/capabilities/sessions/tokens.test.ts",
          "test/plugins/capabilities/ping/registry.test.ts",
        ],
      },
    ],
    notApplicable: [],
    notMet: [],
  },
  {
    chapter: 3,
    name: "Web Frontend Security",
    met: [
      {
        numbers: "3.2.1",
        text:
          "Data have `nosniff`, a policy that runs and embeds nothing, and are for the same origin only; CSV is an " +
          "attachment.",
        by: ["test/core/http/serve.test.ts", "test/plugins/capabilities/export/rows.test.ts"],
      },
      {
        numbers: "3.2.2",
        text:
          "Scripts of pages write text as text, and assign no HTML; what the console updates are pages of its own.",
        by: [
          "plugins/documents/me/assets/compare-copy.js",
          "plugins/service/console/assets/console.js",
        ],
      },
      {
        numbers: "3.3.1–3.3.3",
        text:
          "By https, both cookies are `Secure`, `HttpOnly`, `SameSite=Strict`, and have the prefix `__Host-`.",
        by: [
          "test/plugins/service/session.test.ts",
          "test/plugins/documents/docs/remembered-choice.test.ts",
        ],
      },
      {
        numbers: "3.4.1",
        text:
          "Every answer of the service has HSTS for a year and all subdomains, once `server.public_url` is https. The " +
          "answers of a proxy have what the proxy adds.",
        by: ["test/core/http/serve.test.ts", "test/config/deploy/proxies.test.ts"],
      },
      {
        numbers: "3.4.2, 3.7.2",
        text: "Sends no CORS header, and redirects within itself only.",
        by: ["test/core/http/serve.test.ts", "test/plugins/service/console/console.test.ts"],
      },
      {
        numbers: "3.4.3",
        text:
          "Pages load this service's own files and nothing inline; the viewer of the reference may write inline styles.",
        by: [
          "test/plugins/service/console/files.test.ts",
          "test/core/http/serve.test.ts",
          "plugins/documents/docs/plugin.ts",
        ],
      },
      {
        numbers: "3.4.4–3.4.6",
        text: "Every answer has `nosniff`, a referrer policy and `frame-ancestors 'none'`.",
        by: ["test/core/http/serve.test.ts", "test/plugins/service/console/files.test.ts"],
      },
      {
        numbers: "3.5.1–3.5.3",
        text:
          "Forms carry a token of their session and come from the same origin; other bodies have to be JSON, which no " +
          "form can send. The few POST without a body name a random id, and the cookie is not sent across sites. " +
          "GET changes no account, grant or session.",
        by: ["test/plugins/service/console/console.test.ts", "test/core/http/body.test.ts"],
      },
      {
        numbers: "3.7.1",
        text:
          "Pages are HTML, CSS and JavaScript modules, and all but the reference work without scripts.",
        by: ["test/plugins/documents/docs-browser.test.ts"],
      },
    ],
    notApplicable: [{ numbers: "3.5.5", text: "No page listens to `postMessage`." }],
    notMet: [
      {
        numbers: "3.3.4",
        text:
          "A program that asks `POST /session` for it gets the value of the cookie in the body as well, as its bearer " +
          "token.",
      },
      {
        numbers: "3.5.4",
        text: "The console, the partners' pages and the endpoints share one host name.",
      },
    ],
  },
  {
    chapter: 4,
    name: "API and Web Service",
    met: [
      {
        numbers: "4.1.1",
        text: "Every body is of the type that the document of the endpoints names, in UTF-8.",
        by: ["test/openapi/answers.test.ts", "test/plugins/capabilities/export/rows.test.ts"],
      },
      {
        numbers: "4.1.2",
        text: "The proxies' files lead only browsers at `/` to https; programs get a 403.",
        by: ["test/config/deploy/proxies.test.ts"],
      },
      {
        numbers: "4.1.3",
        text:
          "`X-Forwarded-For` counts from listed proxies only, and these replace what a client sent.",
        by: ["test/core/networks.test.ts", "test/config/deploy/proxies.test.ts"],
      },
      {
        numbers: "4.2.1",
        text:
          "Node's strict parser finds the ends of messages, and refuses two lengths; a connection ends after a body " +
          "that nothing reads.",
        by: ["test/hostile/input.test.ts", "test/core/http/serve.test.ts"],
      },
    ],
    notApplicable: [
      { numbers: "4.3.1–4.3.2, 4.4.1–4.4.4", text: "There is neither GraphQL nor a WebSocket." },
    ],
    notMet: [],
  },
  {
    chapter: 5,
    name: "File Handling",
    met: [
      {
        numbers: "5.1.1, 5.2.1",
        text:
          "The only upload, a draft of the configuration in the console, is YAML of at most 256 KiB, as its form says, with few plugins and routes.",
        by: [
          "test/plugins/service/console/console-browser.test.ts",
          "test/plugins/capabilities/check/read-draft.test.ts",
        ],
      },
      {
        numbers: "5.3.2",
        text:
          "Serves files from lists that it makes at the start: no path is made of what a client sent.",
        by: [
          "test/plugins/service/console/files.test.ts",
          "test/plugins/capabilities/handbook/handbook.test.ts",
        ],
      },
      {
        numbers: "5.4.1–5.4.2",
        text:
          "Makes the names of downloads of list, id and date, and ignores the names of uploads.",
        by: ["test/plugins/capabilities/export/rows.test.ts"],
      },
    ],
    notApplicable: [
      {
        numbers: "5.2.3, 5.3.1, 5.4.3",
        text:
          "No upload is unpacked, stored or served again. A copy that a partner compares stays in the browser.",
      },
    ],
    notMet: [
      {
        numbers: "5.2.2",
        text:
          "A draft is read as YAML, and checked against the schema, whatever its file is called.",
      },
    ],
  },
  {
    chapter: 6,
    name: "Authentication",
    met: [
      {
        numbers: "6.1.1, 6.3.1",
        text:
          "Slows down guessing by account and network, without locking a partner out of its own networks.",
        by: [
          "config/handbook/security.md",
          "test/core/access/log-in.test.ts",
          "test/hostile/log-in.test.ts",
        ],
      },
      {
        numbers: "6.1.3, 6.3.4",
        text:
          "Passwords, sessions that operators open, and tokens are documented, and the same policies decide for all. " +
          "Tokens cannot manage tokens.",
        by: [
          "plugins/documents/docs/pages/log-in-and-tokens.md",
          "plugins/capabilities/sessions/README.md",
          "test/plugins/capabilities/sessions/tokens.test.ts",
          "test/journeys/access-matrix.test.ts",
        ],
      },
      {
        numbers: "6.2.1, 6.2.5, 6.2.8–6.2.10",
        text:
          "New passwords have 12 to 1,000 characters of any kind, never expire, and are compared in full; only Unicode " +
          "is normalized.",
        by: [
          "core/access/passwords.ts",
          "test/core/access/passwords.test.ts",
          "test/plugins/service/console/console.test.ts",
        ],
      },
      {
        numbers: "6.2.6–6.2.7",
        text: "Fields hide passwords, and help password managers.",
        by: ["plugins/design/log-in.ts", "test/plugins/service/console/console.test.ts"],
      },
      {
        numbers: "6.3.2",
        text:
          "Has no account at first. The demonstration's are refused where others reach the service.",
        by: ["test/hostile/demonstration.test.ts"],
      },
      {
        numbers: "6.4.2–6.4.3",
        text:
          "An operator sets a forgotten password anew, which ends all sessions. There are no hints.",
        by: [
          "config/handbook/incidents.md",
          "test/plugins/service/console/console.test.ts",
          "test/plugins/capabilities/sessions/operate-tokens.test.ts",
        ],
      },
    ],
    notApplicable: [
      {
        numbers: "6.4.1, 6.4.4, 6.5.1–6.5.5, 6.6.1–6.6.3, 6.8.1–6.8.4",
        text:
          "The service makes no initial passwords (an operator chooses the first one, and nothing makes its owner change " +
          "it), and has no second factor, one-time codes, telephone or identity provider.",
      },
    ],
    notMet: [
      {
        numbers: "6.1.2, 6.2.11",
        text:
          "Only the account's own name is refused in a password; there is no list of other words.",
      },
      {
        numbers: "6.2.2–6.2.3",
        text: "Users cannot change their password: an operator does, without the old one.",
      },
      {
        numbers: "6.2.4, 6.2.12",
        text: "New passwords are not compared with common or breached ones.",
      },
      {
        numbers: "6.3.3",
        text:
          "There is one factor. Grants may be bound to networks; a proxy in front of the console may ask for " +
          "a second one.",
      },
    ],
  },
  {
    chapter: 7,
    name: "Session Management",
    met: [
      {
        numbers: "7.1.1, 7.3.1–7.3.2",
        text:
          "Sessions end after `session.lifetime`, and unused ones after `session.idle`; tokens are never idle, because a " +
          "cron job may rest, and have an end of their own.",
        by: [
          "config/README.md",
          "plugins/capabilities/sessions/README.md",
          "test/core/access/access.test.ts",
          "test/plugins/capabilities/sessions/tokens.test.ts",
        ],
      },
      {
        numbers: "7.2.1–7.2.3",
        text:
          "Each request looks its session up in the database. Cookies are sealed; tokens have 256 random bits.",
        by: [
          "test/core/access/sessions.test.ts",
          "test/plugins/capabilities/sessions/tokens.test.ts",
        ],
      },
      {
        numbers: "7.4.1–7.4.3, 7.4.5",
        text:
          "What ends a session counts from its next request on, in all processes: log-out, a new password, disabling, " +
          "removal, an operator.",
        by: [
          "test/core/access/session-ends.test.ts",
          "test/plugins/capabilities/sessions/operate-tokens.test.ts",
          "test/plugins/capabilities/former-names/former-names.test.ts",
        ],
      },
      {
        numbers: "7.4.4",
        text: "All pages for readers with a session have the button “Log out”.",
        by: ["plugins/design/frame.ts", "test/plugins/documents/docs-filled.test.ts"],
      },
    ],
    notApplicable: [
      { numbers: "7.1.3, 7.6.1–7.6.2", text: "There is no single sign-on." },
    ],
    notMet: [
      {
        numbers: "7.1.2",
        text: "An account may have any number of sessions, and no page says so; of tokens, ten.",
      },
      {
        numbers: "7.2.4",
        text:
          "A log-in makes a new session, and leaves one that the same browser had before until it ends.",
      },
      {
        numbers: "7.5.1",
        text: "An operator with a session changes passwords and grants without another log-in.",
      },
      {
        numbers: "7.5.2",
        text:
          "Partners see and revoke their tokens, but not their sessions; operators see and end both.",
      },
    ],
  },
  {
    chapter: 8,
    name: "Authorization",
    met: [
      {
        numbers: "8.1.1–8.1.2",
        text:
          "Documents policies of routes, grants of events, and the fields that each family lets through.",
        by: ["plugins/README.md", "config/README.md", "plugins/documents/docs/pages/records.md"],
      },
      {
        numbers: "8.2.1–8.2.2, 8.3.1, 8.4.1",
        text:
          "The kernel decides, on each request, in the snapshot that is read. The matrix of accounts and routes is " +
          "generated; unknown and forbidden events get the same bytes.",
        by: ["test/journeys/access-matrix.test.ts", "test/core/access/access.test.ts"],
      },
      {
        numbers: "8.2.3",
        text: "Projections list the fields that they let through, and `q` searches no others.",
        by: ["test/core/records/projection.test.ts", "test/journeys/search.test.ts"],
      },
    ],
    notApplicable: [],
    notMet: [],
  },
  {
    chapter: 9,
    name: "Self-contained Tokens",
    met: [
      {
        numbers: "9.1.1–9.1.3",
        text:
          "The cookie is sealed: encrypted, with a keyed hash, by one algorithm, and with secrets of the configuration.",
        by: ["core/access/sessions.ts", "test/core/access/sessions.test.ts"],
      },
      {
        numbers: "9.2.1–9.2.4",
        text:
          "It says only which session it is; whether that counts, and until when, is in the database that made it. " +
          "Nothing else is sealed.",
        by: ["test/core/access/sessions.test.ts", "test/core/access/access.test.ts"],
      },
    ],
    notApplicable: [],
    notMet: [],
  },
  {
    chapter: 10,
    name: "OAuth and OIDC",
    met: [],
    notApplicable: [
      { numbers: "10.1.1–10.7.3", text: "The service takes no part in OAuth or OpenID Connect." },
    ],
    notMet: [],
  },
  {
    chapter: 11,
    name: "Cryptography",
    met: [
      {
        numbers: "11.2.1, 11.2.3, 11.3.1, 11.3.3, 11.4.3",
        text:
          "The runtime's own library computes everything: AES-256 with HMAC-SHA-256 over what is encrypted, SHA-256, HMAC-SHA-256 for " +
          "pings and cursors, AES-128-GCM for entity tags.",
        by: [
          "core/access/sessions.ts",
          "core/request/listing/signed-text.ts",
          "test/core/http/representation.test.ts",
          "test/plugins/capabilities/ping/signature.test.ts",
        ],
      },
      {
        numbers: "11.6.1",
        text:
          "Secrets that it makes are 32 and more bytes of the system's generator; weak ones are refused.",
        by: [
          "core/cli/secret-file.ts",
          "test/plugins/capabilities/ping/signature.test.ts",
          "test/core/config/read.test.ts",
        ],
      },
    ],
    notApplicable: [],
    notMet: [
      {
        numbers: "11.1.1–11.1.2",
        text:
          "The handbook says how to replace each secret, but no policy follows a standard, and no page lists all keys " +
          "and algorithms.",
      },
      {
        numbers: "11.2.2",
        text:
          "Secrets can be replaced, and password hashes carry their cost; other algorithms need another version, and old " +
          "hashes stay until the password is changed.",
      },
      {
        numbers: "11.3.2, 11.4.1, 11.4.4",
        text:
          "Cookies are sealed by iron-session with AES-256-CBC (the standard calls CBC legacy), whose keys come from " +
          "PBKDF2 with SHA-1 and one round. The secrets are random and long, so rounds would add nothing; the format is " +
          "the library's.",
      },
      {
        numbers: "11.4.2",
        text:
          "Passwords are hashed by scrypt with N=2^14, r=8, p=5: as strong as N=2^17, p=1, with an eighth of the memory. " +
          "The standard asks for N=2^15 at least.",
      },
      {
        numbers: "11.5.1",
        text:
          "The token of a page's forms is a hash of the session's id, which has 122 random bits and operators can see. " +
          "The check of the origin does not rest on it.",
      },
    ],
  },
  {
    chapter: 12,
    name: "Secure Communication",
    met: [
      {
        numbers: "12.1.1–12.1.2, 12.2.1",
        text:
          "The proxies' files allow TLS 1.2 and 1.3 with forward secrecy and authenticated encryption, and refuse " +
          "programs without TLS. `check` warns of a public URL without https.",
        by: [
          "config/deploy/nginx.conf",
          "config/deploy/haproxy.cfg",
          "config/deploy/Caddyfile",
          "test/config/deploy/proxies.test.ts",
          "test/plugins/capabilities/check/check-warnings.test.ts",
        ],
      },
      {
        numbers: "12.3.4",
        text: "`ssl=verify&ca=…` trusts one authority for the database.",
        by: ["test/plugins/databases/mysql/tls.test.ts"],
      },
    ],
    notApplicable: [{ numbers: "12.1.3", text: "There are no client certificates." }],
    notMet: [
      {
        numbers: "12.2.2",
        text: "The certificate is yours to get; nothing checks it.",
      },
      {
        numbers: "12.3.1–12.3.3",
        text:
          "The service speaks plain HTTP to its proxy and to Prometheus. The database is reached without TLS unless its " +
          "URL says `ssl=required`, which does not check who answers, or `ssl=verify`. Pings always verify.",
      },
    ],
  },
  {
    chapter: 13,
    name: "Configuration",
    met: [
      {
        numbers: "13.1.1",
        text:
          "Documents whom the service talks to: the database, the proxy, Prometheus, a collector of traces, systemd, and " +
          "the URLs that partners register.",
        by: [
          "config/handbook/install.md",
          "config/handbook/proxies.md",
          "plugins/capabilities/ping/README.md",
          "plugins/capabilities/tracing/README.md",
        ],
      },
      {
        numbers: "13.2.2–13.2.3",
        text:
          "`event-export grants` gives the serving user what it needs and no more. Nothing has a password that is known.",
        by: [
          "test/plugins/databases/mysql/least-privilege.test.ts",
          "test/config/deploy/compose.test.ts",
          "test/hostile/demonstration.test.ts",
        ],
      },
      {
        numbers: "13.3.2",
        text:
          "Files with secrets that every user of the machine can read are refused; units and containers pass them to the " +
          "service alone.",
        by: ["test/core/config/read.test.ts", "config/deploy/event-export.service"],
      },
      {
        numbers: "13.4.1",
        text: "The package has only what runs or is read.",
        by: ["test/package/files.test.ts"],
      },
      {
        numbers: "13.4.2–13.4.4",
        text: "There is no debug mode, no listing of folders, and no TRACE.",
        by: ["test/core/http/serve.test.ts", "test/plugins/service/console/files.test.ts"],
      },
      {
        numbers: "13.4.5",
        text:
          "The guide is public unless `public: false`; the reference needs a log-in. Metrics have an address of their own, " +
          "and proxies hide health checks.",
        by: [
          "test/plugins/documents/docs/private.test.ts",
          "test/plugins/capabilities/metrics/admin.test.ts",
          "test/config/deploy/proxies.test.ts",
        ],
      },
    ],
    notApplicable: [],
    notMet: [
      {
        numbers: "13.2.1",
        text: "The service logs in to the database with a password that stays until you change it.",
      },
      {
        numbers: "13.2.4–13.2.5",
        text: "Pings go to any public host unless `ping.hosts` lists those allowed.",
      },
      {
        numbers: "13.3.1",
        text:
          "Secrets are read from files or variables, such as systemd's and containers' credentials; no vault is " +
          "asked. None is in the code or the package.",
      },
    ],
  },
  {
    chapter: 14,
    name: "Data Protection",
    met: [
      {
        numbers: "14.2.3",
        text:
          "Pages load nothing of others, and the service tells nobody but partners with a grant.",
        by: [
          "test/plugins/documents/docs.test.ts",
          "test/plugins/service/console/files.test.ts",
          "test/journeys/disclosures.test.ts",
        ],
      },
      {
        numbers: "14.3.3",
        text: "Browsers keep the session's cookie, the theme, and which example was chosen.",
        by: [
          "plugins/design/assets/theme.js",
          "plugins/documents/docs/assets/docs.js",
          "test/plugins/documents/docs/remembered-choice.test.ts",
        ],
      },
    ],
    notApplicable: [],
    notMet: [
      {
        numbers: "14.1.1–14.1.2, 14.2.4",
        text:
          "The handbook says what logs, the audit log and the ledger keep and for how long, but data have no levels of " +
          "protection. Records are not encrypted in the database.",
      },
      {
        numbers: "14.2.1",
        text:
          "`q` searches for names in the URL. Logs of the service and of the proxies' files leave it out; no token is " +
          "taken from a URL.",
      },
      {
        numbers: "14.2.2",
        text:
          "Pages of records are kept in the process's memory (`cache.megabytes`), and not wiped there. Other caches are " +
          "told that answers are private.",
      },
      {
        numbers: "14.3.1–14.3.2",
        text:
          "Lists are `private, no-cache`: a browser may store them, and asks before each use. A log-out empties its " +
          "cache; a session that ends by itself does not. Pages are `no-store`.",
      },
    ],
  },
  {
    chapter: 15,
    name: "Secure Coding and Architecture",
    met: [
      {
        numbers: "15.1.2",
        text:
          "`make sbom` writes the bill of materials; packages and runtimes are installed by their hashes.",
        by: [
          "config/handbook/publish.md",
          "package-lock.json",
          "test/hostile/fetched-runtime.test.ts",
        ],
      },
      {
        numbers: "15.1.3, 15.2.2",
        text:
          "Documents what is expensive (exports, waiting, searches, log-ins) and its limits, and keeps them.",
        by: [
          "plugins/capabilities/export/README.md",
          "plugins/capabilities/waiting/README.md",
          "test/hostile/one-account.test.ts",
          "test/hostile/log-in.test.ts",
          "test/plugins/capabilities/export/export.test.ts",
        ],
      },
      {
        numbers: "15.3.1, 15.3.3",
        text:
          "Answers have the fields of a projection; bodies may have no other fields than the described ones.",
        by: [
          "test/core/records/projection.test.ts",
          "test/plugins/documents/openapi.test.ts",
          "test/hostile/input.test.ts",
        ],
      },
      {
        numbers: "15.3.2",
        text: "Follows no redirect of a receiver of pings.",
        by: ["test/plugins/capabilities/ping/post.test.ts"],
      },
      {
        numbers: "15.3.4",
        text: "Limits, grants and logs have the address that listed proxies forward.",
        by: ["test/core/networks.test.ts", "test/config/deploy/proxies.test.ts"],
      },
      {
        numbers: "15.3.5–15.3.6",
        text:
          "Strict types, schemas at the edge, strict comparisons, and maps for what clients name.",
        by: ["tsconfig.json", "test/hostile/input.test.ts"],
      },
      {
        numbers: "15.3.7",
        text:
          "A parameter that is given twice is refused; query, body, cookie and header are read apart.",
        by: ["core/request/listing/query.ts", "test/plugins/service/session.test.ts"],
      },
    ],
    notApplicable: [],
    notMet: [
      {
        numbers: "15.1.1, 15.2.1",
        text:
          "No time is promised within which a vulnerable package is replaced. The handbook says to run `npm audit`.",
      },
      {
        numbers: "15.2.3",
        text:
          "The package contains the demonstration, with a package that makes names, and the tests for authors of plugins. " +
          "Neither is served unless it is asked for.",
      },
    ],
  },
  {
    chapter: 16,
    name: "Security Logging and Error Handling",
    met: [
      {
        numbers: "16.2.1, 16.2.4",
        text:
          "Lines of JSON have time, request id, trace, account, address, route and result; the audit log has the same ids.",
        by: [
          "config/README.md",
          "test/core/log.test.ts",
          "test/plugins/capabilities/audit/audit.test.ts",
        ],
      },
      {
        numbers: "16.2.3",
        text:
          "Logs go to standard output, the audit log and the ledger to the database, traces to a collector that you name.",
        by: [
          "config/README.md",
          "plugins/capabilities/audit/README.md",
          "config/handbook/disclosures.md",
        ],
      },
      {
        numbers: "16.2.5",
        text:
          "No entry has names of people, e-mail addresses, search words, cookies, tokens or passwords.",
        by: ["test/hostile/input.test.ts", "test/hostile/secrets.test.ts"],
      },
      {
        numbers: "16.3.1",
        text:
          "Records each log-in that was tried, with its result, and each session that an operator opens.",
        by: [
          "test/plugins/capabilities/audit/audit.test.ts",
          "test/plugins/capabilities/sessions/account-sessions.test.ts",
        ],
      },
      {
        numbers: "16.3.2–16.3.3",
        text:
          "Logs each refusal, of floods the first lines and the number of the others; the audit log has lists that an account " +
          "was refused, and every change of access.",
        by: [
          "test/core/request/bad-input.test.ts",
          "test/core/http/refusal-log.test.ts",
          "test/plugins/capabilities/audit/audit.test.ts",
        ],
      },
      {
        numbers: "16.3.4",
        text: "Logs unexpected errors with their stack, and why the database cannot be reached.",
        by: ["test/core/kernel/service.test.ts", "test/hostile/database-away.test.ts"],
      },
      {
        numbers: "16.4.1",
        text: "Entries are JSON; what a terminal would obey is shown as text.",
        by: ["test/core/log.test.ts", "test/core/kernel/printable.test.ts"],
      },
      {
        numbers: "16.5.1",
        text: "Errors have a code, a sentence and a request id.",
        by: ["test/core/kernel/service.test.ts", "test/hostile/input.test.ts"],
      },
      {
        numbers: "16.5.2–16.5.3",
        text:
          "Without the database, requests get 503; a check that fails refuses. `audit.required` refuses what cannot be " +
          "recorded.",
        by: [
          "test/hostile/database-away.test.ts",
          "test/hostile/audit.test.ts",
          "test/core/http/problems.test.ts",
        ],
      },
    ],
    notApplicable: [],
    notMet: [
      {
        numbers: "16.1.1",
        text:
          "Several pages say what is logged; no one page lists all layers, proxy and database as well, and who may " +
          "read them.",
      },
      {
        numbers: "16.2.2",
        text:
          "Times are in UTC. Nothing makes the clocks of the machines agree, and the handbook does not ask for it.",
      },
      {
        numbers: "16.4.2–16.4.3",
        text:
          "The serving user can change no entry of the audit log, but delete old ones. You decide who reads " +
          "standard output, and sends it elsewhere.",
      },
    ],
  },
  {
    chapter: 17,
    name: "WebRTC",
    met: [],
    notApplicable: [{ numbers: "17.1.1–17.3.2", text: "There is no WebRTC." }],
    notMet: [],
  },
]
