import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { decodeTrie } from "cspell-trie-lib"
import t from "tap"
import { findTexts, placeOf, type Text } from "./texts.ts"

/** British English. */
const packed = new URL("en_GB.trie.gz", import.meta.resolve("@cspell/dict-en-gb-mit"))
const dictionary = decodeTrie(gunzipSync(readFileSync(packed)))

/** Names and terms that the dictionary does not have. */
const own = new Set(readFileSync("test/texts/words.txt", "utf8").trimEnd().split("\n"))

const texts = findTexts()

t.test("no document, page, message or help has a spelling mistake", (t) => {
  t.ok(texts.length > 300)
  t.strictSame(texts.flatMap(mistakesIn), [], "right words go to test/texts/words.txt")
  t.end()
})

t.test("no document has a pictogram: none is needed", (t) => {
  const documents = texts.filter(({ file }) => file.endsWith(".md"))
  const wrong = documents.flatMap((document) =>
    [...document.text.matchAll(/[☀-➿]/gu)]
      .map(({ index, 0: found }) => `${placeOf(document, index)} ${found}`)
  )
  t.strictSame(wrong, [])
  t.end()
})

t.test("a spelling mistake is found, with its line", (t) => {
  const mistakes = mistakesIn({
    file: "a.md",
    text: "All is well.\nWe recieve one-time tokens, teh last.\n",
  })
  t.strictSame(mistakes, ["a.md:2 recieve", "a.md:2 teh"])
  t.end()
})

function mistakesIn(text: Text): string[] {
  return wordsOf(text).filter(({ word }) => !isKnown(word))
    .map(({ word, index }) => `${placeOf(text, index)} ${word}`)
}

/** Returns the words that are no part of a path, an address, an option or a number, and no name in a program. */
function wordsOf({ text }: Text): { word: string; index: number }[] {
  const words = text.matchAll(/(?<![\w•@./]|(?<!\p{L})-)\p{L}+(?:'\p{L}+)*(?![\w•@=])/gu)
  return [...words].map(({ index, 0: word }) => ({ word, index }))
    .filter(({ word }) => !/^[a-z]+[A-Z]/.test(word))
}

function isKnown(word: string): boolean {
  return dictionary.has(word) || dictionary.has(word.toLowerCase()) ||
    spellings(word).some((each) => dictionary.has(each) || own.has(each))
}

/** Returns how a word may be written in a list: as it is, without "'s", and in lower case if it begins a sentence. */
function spellings(word: string): string[] {
  const bare = word.replace(/'s$/, "")
  return [word, bare, bare.charAt(0).toLowerCase() + bare.slice(1)]
}
