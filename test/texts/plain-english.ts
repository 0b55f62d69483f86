/** What texts avoid, and what to write instead. `why` is for all phrases of a group. */
export interface Group {
  readonly why: string
  /** By phrase, in lower case. `…` at the end of a word stands for any ending. */
  readonly phrases: Readonly<Record<string, string>>
}

/** What no list of phrases can find. */
export interface Pattern {
  readonly avoid: RegExp
  readonly write: string
  /** A sentence that the pattern finds. */
  readonly example: string
}

/**
 * Engineers of all countries read these texts at speed, in a language that is seldom their first. Each phrase here was
 * found in a text, or is one that style guides for technical English refuse.
 */
export const groups: readonly Group[] = [
  {
    why: "a shorter word says the same",
    phrases: {
      "in order to": "to",
      "so as to": "to",
      "prior to": "before",
      "subsequent to": "after",
      "subsequently": "then",
      "due to": "because of",
      "owing to": "because of",
      "in the event of": "if",
      "in the event that": "if",
      "for the purpose of": "to",
      "with regard to": "about",
      "with respect to": "about",
      "in terms of": "by, in",
      "by means of": "with",
      "on the basis of": "from, by",
      "at this point in time": "now",
      "at the time of writing": "now",
      "a large number of": "many",
      "the majority of": "most",
      "is able to": "can",
      "are able to": "can",
      "has the ability to": "can",
      "make use of": "use",
      "makes use of": "use",
      "utilis…": "use",
      "utiliz…": "use",
      "commence…": "begin",
      "terminate…": "end",
      "facilitat…": "help, let",
      "leverag…": "use",
      "endeavour…": "try",
      "ascertain…": "find out, check",
      "approximately": "about",
      "numerous": "many",
      "additionally": "also",
      "furthermore": "also",
      "moreover": "also",
      "upon": "on, when",
      "whilst": "while",
      "amongst": "among",
      "via": "by, through, with",
      "and/or": "or; or both, if both may be",
    },
  },
  {
    why: "it adds nothing, or tells readers that what they find hard is easy",
    phrases: {
      "simply": "nothing",
      "easily": "nothing, or how",
      "obviously": "nothing",
      "clearly": "nothing",
      "basically": "nothing",
      "actually": "nothing",
      "really": "nothing",
      "of course": "nothing",
      "needless to say": "nothing",
      "please": "nothing: say what to do",
      "it should be noted": "nothing",
      "in general": "when it does not hold",
      "as mentioned above": "a link",
      "as described above": "a link",
      "under the hood": "nothing, or how it works",
      "out of the box": "without any setting",
      "seamless…": "what happens",
      "robust…": "what it withstands",
      "powerful": "what it can do",
    },
  },
  {
    why: "it reads like law, or like a translation",
    phrases: {
      "shall": "must, will",
      "hereby": "nothing",
      "herein": "here",
      "thereof": "of it",
      "therein": "in it",
      "thereby": "and so, by this",
      "whereby": "by which, so that",
      "thus": "so",
      "hence": "so",
      "hitherto": "until now",
      "such that": "so that",
      "so-called": "nothing",
      "as it stands": "as it is",
      "for ever": "for good, until …",
      "for the time being": "for now",
      "be it": "if it is",
      "of which": "a sentence of its own",
      "whoever": "who it is: a partner, an operator, a person who …",
      "behind the back…": "without a word to",
      "get to know": "learn",
      "gets to know": "learns",
      "say of": "say for, say about",
      "says of": "says for, says about",
      "said of": "said for, said about",
      "know of": "know about",
      "knows of": "knows about",
      "known of": "known about",
      "told of": "told about",
      "the same holds for": "the same applies to",
      "where yours belong": "replace … by yours",
      "counts as that": "is treated as …",
      "count as that": "are treated as …",
      "may become": "use … as, store … as",
      "not any more": "no longer",
      "not yet any": "no … yet",
      "only so": "only then, only in this way",
    },
  },
  {
    why: "readers have to look back for the noun: repeat it",
    phrases: {
      "that of": "the noun again",
      "those of": "the noun again",
      "another one": "another, with its noun; or: it is not the same",
      "the former one": "the former, with its noun",
      "the latter": "the noun again",
      "respectively": "two sentences",
    },
  },
  {
    why: "an abbreviation or a word of Latin",
    phrases: {
      "e.g.": "for example, such as",
      "i.e.": "that is",
      "etc.": "all of them, or: such as",
      "et al.": "all of them",
      "resp.": "two sentences",
      "w.r.t.": "about",
      "vice versa": "both directions, in words",
      "ad hoc": "for this, at once",
      "per se": "nothing",
      "aka": "or",
    },
  },
  {
    why: "a template shows through: print only what applies",
    phrases: {
      "(0 seconds": "a condition of the template",
      "(s)": "one or many, by the number",
    },
  },
  {
    why: "one word for one thing",
    phrases: {
      "login…": "log-in (the noun), log in (the verb)",
      "log-on…": "log-in",
      "sign in": "log in",
      "sign-in": "log-in",
      "logout": "log-out (the noun), log out (the verb)",
      "username…": "user name",
      "email…": "e-mail",
      "timezone…": "time zone",
      "organis…": "organiz…",
      "recognis…": "recogniz…",
      "uri": "URL",
      "uris": "URLs",
      "end-point…": "endpoint",
      "api key…": "token",
      "access key…": "token",
      "paging": "pagination, page by page",
      "blacklist…": "deny list",
      "whitelist…": "allow list",
      "the token counts": "the token decides",
    },
  },
]

export const patterns: readonly Pattern[] = [
  {
    avoid:
      /(?<=^[-#>\d.\s*]*|[.:] |\| )(?:Who|What|Whichever) [^.?!:|\n]* (?:is|are|has|have|gets|can|must|ends|wakes) [^.?!|\n]*\.(?!\*\*)/gm,
    write: 'a noun as the subject, not a question word: "A capability that is off has no table."',
    example: "What is off has no table.",
  },
  {
    avoid: /, too\b/g,
    write: '"also" before the verb',
    example: "It covers the deletions, too.",
  },
  {
    avoid: /\b([a-z]+)(?: |\n)\1\b/gi,
    write: "the word once",
    example: "Read the the page.",
  },
  {
    avoid: /[a-z] - [a-z]/gi,
    write: "a colon, a comma or a new sentence",
    example: "Read one page - it is short.",
  },
]
