import type { Random } from "./random.ts"

/** A place that guests come from, with its personal names and its form of addresses. */
export interface Place {
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly firstNames: readonly string[]
  readonly lastNames: readonly string[]
  /** True if the family name comes first. */
  readonly familyFirst?: true
  /** Names in Latin letters that e-mail addresses are made of, if those of people are not written in them. */
  readonly latin?: readonly string[]
  /** Each # stands for a digit. Uses the country's range for fictitious numbers if it has one. */
  readonly mobile: string
  readonly streets: readonly string[]
  readonly towns: readonly string[]
  /** Each # stands for a digit. */
  readonly postcode: string
  /** If there are states, and the share of addresses that name one. */
  readonly states?: readonly [share: number, ...names: string[]]
  /** What the number of the house comes before or after: `#` is the number, `$` the street. */
  readonly line: string
}

const words = (text: string) => text.split(" ")
const list = (text: string) => text.split(", ")

const british = {
  country: "GB",
  mobile: "+447700900###",
  streets: list("High Street, Station Road, Mill Lane, Church Road, Victoria Terrace"),
  towns: list("York, Leeds, Bath, Stirling, Llandudno, King's Lynn"),
  postcode: "YO# #QT",
  states: [0.4, "Yorkshire", "Somerset", "Norfolk", "Gwynedd"],
  line: "# $",
} as const

const american = {
  country: "US",
  streets: list("Oak Street, Maple Avenue, Lakeview Drive, 2nd Street, Sunset Boulevard"),
  towns: list("Portland, Springfield, Boulder, Savannah, Santa Fe"),
  postcode: "#####",
  states: [1, "Oregon", "Illinois", "Colorado", "Georgia", "New Mexico"],
  line: "# $",
} as const

/** All places. The first of a country is the usual one for its addresses. */
export const places: readonly Place[] = [
  {
    ...british,
    firstNames: words("Ada Oliver Amelia George Isla Noah Florence Siân Callum Niamh"),
    lastNames: words("Smith O'Neill Davies Taylor Patel Macdonald Hughes Whitfield-Jones Clarke"),
  },
  {
    ...british,
    firstNames: words("محمد فاطمة أحمد ليلى يوسف"),
    lastNames: words("الحسن منصور خليل حداد"),
    latin: words("mohammed fatima ahmad layla yusuf"),
  },
  {
    ...american,
    mobile: "+120255501##",
    firstNames: words("Emma Liam Olivia James Ava William Harper Mason"),
    lastNames: words("Johnson Williams Brown Garcia Miller Washington Nguyen"),
  },
  {
    ...american,
    mobile: "+130555501##",
    firstNames: words("Sofía Mateo Valentina Santiago Camila José"),
    lastNames: words("García Rodríguez Martínez Hernández Peña"),
  },
  {
    country: "CA",
    mobile: "+141655501##",
    firstNames: words("Charlotte Jackson Abigail Ethan Zoë"),
    lastNames: words("Campbell Stewart Tremblay Singh Lee"),
    streets: list("Queen Street, King Street, Bloor Street, Lakeshore Road"),
    towns: list("Toronto, Halifax, Calgary, Kingston"),
    postcode: "M#V #K#",
    states: [1, "Ontario", "Nova Scotia", "Alberta"],
    line: "# $",
  },
  {
    country: "CA",
    mobile: "+151455501##",
    firstNames: words("Étienne Élodie Jean-François Maélie Benoît"),
    lastNames: words("Gagnon Côté Bélanger Lévesque"),
    streets: list("rue Sainte-Catherine, boulevard Saint-Laurent, avenue du Parc"),
    towns: list("Montréal, Québec, Trois-Rivières"),
    postcode: "H#X #Y#",
    states: [1, "Québec"],
    line: "#, $",
  },
  {
    country: "FR",
    mobile: "+336399800##",
    firstNames: words("Chloé Léo Manon Hugo Inès François"),
    lastNames: words("Martin Lefèvre Dubois Rousseau Noël"),
    streets: list("rue de la Paix, avenue Victor Hugo, place du Marché"),
    towns: list("Lyon, Nîmes, Besançon, Rennes"),
    postcode: "69###",
    line: "# $",
  },
  {
    country: "DE",
    mobile: "+4917139200##",
    firstNames: words("Jürgen Käthe Lukas Mia Günther Zoë"),
    lastNames: words("Müller Weiß Schröder Köhler Becker"),
    streets: list("Hauptstraße, Goethestraße, Am Mühlenbach, Lindenweg"),
    towns: list("München, Köln, Görlitz, Gießen"),
    postcode: "8####",
    states: [0.2, "Bayern", "Hessen", "Sachsen"],
    line: "$ #",
  },
  {
    country: "PL",
    mobile: "+4850#######",
    firstNames: words("Zofia Jakub Łucja Paweł Jolanta"),
    lastNames: words("Nowak Wójcik Dąbrowska Żuraw"),
    streets: list("ul. Długa, ul. Polna, ul. Kwiatowa"),
    towns: list("Łódź, Kraków, Gdańsk"),
    postcode: "30-###",
    line: "$ #",
  },
  {
    country: "CZ",
    mobile: "+420601######",
    firstNames: words("Jiří Tereza Ondřej Eliška"),
    lastNames: words("Novák Dvořáková Černý Růžička"),
    streets: list("Nádražní, Husova, Palackého"),
    towns: list("Brno, Plzeň, Ústí nad Labem"),
    postcode: "60# 00",
    line: "$ #",
  },
  {
    country: "HU",
    mobile: "+3620#######",
    familyFirst: true,
    firstNames: words("László Zsófia Bence Réka"),
    lastNames: words("Nagy Szabó Kovács Tóth"),
    streets: list("Kossuth Lajos utca, Petőfi utca, Fő tér"),
    towns: list("Győr, Pécs, Szeged"),
    postcode: "90##",
    line: "$ #.",
  },
  {
    country: "SE",
    mobile: "+4670174060#",
    firstNames: words("Åsa Björn Märta Sören"),
    lastNames: words("Sjöberg Lindström Åkesson"),
    streets: list("Storgatan, Skolvägen, Björkvägen"),
    towns: list("Göteborg, Malmö, Västerås"),
    postcode: "41# ##",
    line: "$ #",
  },
  {
    country: "NO",
    mobile: "+474#######",
    firstNames: words("Bjørn Kåre Ingrid Øyvind"),
    lastNames: words("Hansen Ødegård Bakke"),
    streets: list("Kirkeveien, Storgata, Fjellveien"),
    towns: list("Tromsø, Bergen, Ålesund"),
    postcode: "90##",
    line: "$ #",
  },
  {
    country: "DK",
    mobile: "+4520######",
    firstNames: words("Søren Freja Jørgen Asta"),
    lastNames: words("Jensen Nørgaard Kjær"),
    streets: list("Nørregade, Strandvejen, Algade"),
    towns: list("Aarhus, Helsingør, Køge"),
    postcode: "80##",
    line: "$ #",
  },
  {
    country: "FI",
    mobile: "+35845#######",
    firstNames: words("Väinö Aino Pekka Päivi"),
    lastNames: words("Korhonen Mäkinen Hämäläinen"),
    streets: list("Mannerheimintie, Koulukatu, Rantatie"),
    towns: list("Helsinki, Jyväskylä, Oulu"),
    postcode: "001##",
    line: "$ #",
  },
  {
    country: "ES",
    mobile: "+346########",
    firstNames: words("Lucía Álvaro María Iñigo"),
    lastNames: words("Muñoz Ibáñez Núñez López"),
    streets: list("Calle Mayor, Avenida de la Constitución, Plaza de España"),
    towns: list("Cádiz, Málaga, A Coruña"),
    postcode: "29###",
    states: [0.5, "Andalucía", "Galicia"],
    line: "$, #",
  },
  {
    country: "PT",
    mobile: "+35191#######",
    firstNames: words("João Inês Tomás Conceição"),
    lastNames: words("Gonçalves Simões Araújo"),
    streets: list("Rua Direita, Avenida da Liberdade, Largo do Paço"),
    towns: list("Lisboa, Évora, Guimarães"),
    postcode: "1#00-###",
    line: "$ #",
  },
  {
    country: "IT",
    mobile: "+39320#######",
    firstNames: words("Niccolò Chiara Alessio Giulia"),
    lastNames: words("Rossi D'Angelo Bianchi Forlì"),
    streets: list("Via Garibaldi, Corso Italia, Piazza del Popolo"),
    towns: list("Torino, Forlì, Reggio nell'Emilia"),
    postcode: "10###",
    states: [0.5, "Piemonte", "Emilia-Romagna"],
    line: "$, #",
  },
  {
    country: "TR",
    mobile: "+90532#######",
    firstNames: words("Ayşe İbrahim Çağla Oğuz"),
    lastNames: words("Yılmaz Şahin Özdemir"),
    latin: words("ayse ibrahim cagla oguz"),
    streets: list("Atatürk Caddesi, İstiklal Caddesi, Çınar Sokak"),
    towns: list("İzmir, Eskişehir, Muğla"),
    postcode: "35###",
    line: "$ No: #",
  },
  {
    country: "VN",
    mobile: "+8490#######",
    familyFirst: true,
    firstNames: words("Thảo Minh Hương Đức"),
    lastNames: words("Nguyễn Trần Phạm Lê"),
    latin: words("thao minh huong duc"),
    streets: list("Lê Lợi, Trần Hưng Đạo, Nguyễn Huệ"),
    towns: list("Hà Nội, Đà Nẵng, Huế"),
    postcode: "10####",
    states: [0.5, "Thừa Thiên", "Quảng Nam"],
    line: "# $",
  },
  {
    country: "UA",
    mobile: "+38050#######",
    firstNames: words("Олена Тарас Їва Соломія"),
    lastNames: words("Шевченко Коваленко Бойко"),
    latin: words("olena taras solomiya"),
    streets: list("вул. Франка, вул. Шевченка, просп. Перемоги"),
    towns: list("Київ, Львів, Одеса"),
    postcode: "01###",
    line: "$, #",
  },
  {
    country: "RU",
    mobile: "+7916#######",
    firstNames: words("Анна Дмитрий Мария Пётр"),
    lastNames: words("Соколов Кузнецова Морозов"),
    latin: words("anna dmitri maria pyotr"),
    streets: list("ул. Садовая, ул. Лесная, Невский пр."),
    towns: list("Казань, Псков, Томск"),
    postcode: "420###",
    line: "$, #",
  },
  {
    country: "GR",
    mobile: "+3069########",
    firstNames: words("Ελένη Γιώργος Δήμητρα Νίκος"),
    lastNames: words("Παπαδόπουλος Οικονόμου Αγγέλου"),
    latin: words("eleni giorgos dimitra nikos"),
    streets: list("Ερμού, Αθηνάς, Βενιζέλου"),
    towns: list("Αθήνα, Πάτρα, Ηράκλειο"),
    postcode: "10# ##",
    line: "$ #",
  },
  {
    country: "GE",
    mobile: "+9955########",
    firstNames: words("ნინო გიორგი თამარ ლევან"),
    lastNames: words("ბერიძე კაპანაძე გელაშვილი"),
    latin: words("nino giorgi tamar levan"),
    streets: list("რუსთაველის გამზირი, ჭავჭავაძის ქუჩა"),
    towns: list("თბილისი, ბათუმი"),
    postcode: "01##",
    line: "$ #",
  },
  {
    country: "IL",
    mobile: "+97250#######",
    firstNames: words("נועה יוסף תמר דניאל"),
    lastNames: words("כהן לוי מזרחי"),
    latin: words("noa yosef tamar daniel"),
    streets: list("רחוב הרצל, שדרות רוטשילד"),
    towns: list("תל אביב, חיפה"),
    postcode: "61#####",
    line: "$ #",
  },
  {
    country: "IR",
    mobile: "+98912#######",
    firstNames: words("زهرا رضا مریم پرویز"),
    lastNames: words("محمدی کریمی گلستانی"),
    latin: words("zahra reza maryam parviz"),
    streets: list("خیابان آزادی, خیابان حافظ"),
    towns: list("تهران, شیراز"),
    postcode: "11####-####",
    line: "$ #",
  },
  {
    country: "TH",
    mobile: "+668########",
    firstNames: words("สมชาย มาลี นภา ประเสริฐ"),
    lastNames: words("ใจดี ศรีสุข ทองคำ"),
    latin: words("somchai malee napa prasert"),
    streets: list("ถนนสุขุมวิท, ถนนพระราม"),
    towns: list("กรุงเทพมหานคร, เชียงใหม่"),
    postcode: "10###",
    states: [0.5, "เชียงใหม่", "ภูเก็ต"],
    line: "# $",
  },
  {
    country: "JP",
    mobile: "+8190########",
    familyFirst: true,
    firstNames: words("さくら 翔太 陽菜 健"),
    lastNames: words("佐藤 鈴木 高橋 渡邊"),
    latin: words("sakura shota hina ken"),
    streets: list("本町, 中央通り, 桜丘"),
    towns: list("横浜市, 京都市, 仙台市"),
    postcode: "22#-####",
    states: [1, "神奈川県", "京都府", "宮城県"],
    line: "$#",
  },
  {
    country: "CN",
    mobile: "+86138########",
    familyFirst: true,
    firstNames: words("伟 芳 秀英 小龙"),
    lastNames: words("王 李 欧阳 陈"),
    latin: words("wei fang xiuying xiaolong"),
    streets: list("人民路, 中山路, 长安街"),
    towns: list("上海市, 成都市"),
    postcode: "20####",
    line: "$#号",
  },
  {
    country: "KR",
    mobile: "+8210########",
    familyFirst: true,
    firstNames: words("민준 서연 지훈 하은"),
    lastNames: words("김 이 박 최"),
    latin: words("minjun seoyeon jihun haeun"),
    streets: list("세종대로, 테헤란로"),
    towns: list("서울, 부산"),
    postcode: "04###",
    states: [0.5, "경기도", "강원도"],
    line: "$ #",
  },
]

/** Returns the place that most guests of an event come from. */
export function homeOf({ home }: { readonly home: string }): Place {
  return places.find(({ country }) => country === home) ?? places[0] as Place
}

/** Returns the street with the number of a house, as it is written there. */
export function streetAddress({ streets, line }: Place, random: Random): string {
  const number = String(random.between(1, 199))
  return line.replace("#", number).replace("$", () => random.pick(streets))
}

const nouns = words("Harbour Lantern Meadow Compass Willow Granite Orchard Falcon")
const forms = list("Ltd, Partners, & Sons, Group, Foundation")

/** Returns the name of a company. */
export function companyName({ lastNames }: Place, random: Random): string {
  return `${random.pick([random.pick(nouns), random.pick(lastNames)])} ${random.pick(forms)}`
}
