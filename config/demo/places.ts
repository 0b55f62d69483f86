import { base, en, Faker, type LocaleDefinition, type Randomizer } from "@faker-js/faker"
import {
  ar,
  cs_CZ,
  da,
  de,
  el,
  en_CA,
  en_GB,
  en_US,
  es,
  fa,
  fi,
  fr,
  fr_CA,
  he,
  hu,
  it,
  ja,
  ka_GE,
  ko,
  nb_NO,
  pl,
  pt_PT,
  ru,
  sv,
  th,
  tr,
  uk,
  vi,
  zh_CN,
} from "@faker-js/faker"

/** A place that guests come from, with its personal names and its form of addresses. */
export interface Place {
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly people: Faker
  readonly streets: Faker
  /** Each # stands for a digit. Uses the country's range for fictitious numbers if it has one. */
  readonly mobile: string
  /** The share of addresses that name their state. */
  readonly states: number
  /** True if the family name comes first. */
  readonly familyFirst: boolean
  /** True if e-mail addresses can be made of the names. */
  readonly namesInEmail: boolean
}

type Definition =
  & { country: string; locale: LocaleDefinition[]; streets?: LocaleDefinition[]; mobile: string }
  & { states?: number; familyFirst?: boolean; namesInEmail?: boolean }

const definitions: readonly Definition[] = [
  { country: "GB", locale: [en_GB], mobile: "+447700900###", states: 0.4 },
  { country: "GB", locale: [ar], streets: [en_GB], mobile: "+447700900###" },
  { country: "US", locale: [en_US], mobile: "+120255501##", states: 1 },
  { country: "US", locale: [es], streets: [en_US], mobile: "+130555501##", states: 1 },
  { country: "CA", locale: [en_CA], mobile: "+141655501##", states: 1 },
  { country: "CA", locale: [fr_CA, fr], mobile: "+151455501##", states: 1 },
  { country: "FR", locale: [fr], mobile: "+336399800##" },
  { country: "DE", locale: [de], mobile: "+4917139200##", states: 0.2 },
  { country: "PL", locale: [pl], mobile: "+4850#######" },
  { country: "CZ", locale: [cs_CZ], mobile: "+420601######" },
  { country: "HU", locale: [hu], mobile: "+3620#######", familyFirst: true },
  { country: "SE", locale: [sv], mobile: "+4670174060#" },
  { country: "NO", locale: [nb_NO], mobile: "+474#######" },
  { country: "DK", locale: [da], mobile: "+4520######" },
  { country: "FI", locale: [fi], mobile: "+35845#######" },
  { country: "ES", locale: [es], mobile: "+346########", states: 0.5 },
  { country: "PT", locale: [pt_PT], mobile: "+35191#######" },
  { country: "IT", locale: [it], mobile: "+39320#######", states: 0.5 },
  { country: "TR", locale: [tr], mobile: "+90532#######" },
  { country: "VN", locale: [vi], mobile: "+8490#######", states: 0.5, familyFirst: true },
  { country: "UA", locale: [uk], mobile: "+38050#######" },
  { country: "RU", locale: [ru], mobile: "+7916#######" },
  { country: "GR", locale: [el], mobile: "+3069########" },
  { country: "GE", locale: [ka_GE], mobile: "+9955########", namesInEmail: false },
  { country: "IL", locale: [he], mobile: "+97250#######" },
  { country: "IR", locale: [fa], mobile: "+98912#######" },
  { country: "TH", locale: [th], mobile: "+668########", states: 0.5, namesInEmail: false },
  {
    country: "JP",
    locale: [ja],
    mobile: "+8190########",
    states: 1,
    familyFirst: true,
    namesInEmail: false,
  },
  {
    country: "CN",
    locale: [zh_CN],
    mobile: "+86138########",
    familyFirst: true,
    namesInEmail: false,
  },
  {
    country: "KR",
    locale: [ko],
    mobile: "+8210########",
    states: 0.5,
    familyFirst: true,
    namesInEmail: false,
  },
]

/** Creates all places on one random source. */
export function placesFrom(randomizer: Randomizer): readonly Place[] {
  const fakerFor = (locale: LocaleDefinition[]) =>
    new Faker({ locale: [...locale, en, base], randomizer })
  return definitions.map(({ country, locale, streets = locale, mobile, ...rest }) => ({
    country,
    people: fakerFor(locale),
    streets: fakerFor(streets),
    mobile,
    states: rest.states ?? 0,
    familyFirst: rest.familyFirst ?? false,
    namesInEmail: rest.namesInEmail ?? true,
  }))
}
