import { mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Page } from "playwright-core"

const folder = resolve(import.meta.dirname, "../../../../.cache/screenshots")

/** The measures of a picture of a page. */
export interface Picture {
  /** From 0 (black) to 255 (white). */
  readonly meanLuminance: number
  readonly colours: number
  /** The share of pixels that do not have the most frequent colour, from 0 to 1. */
  readonly drawn: number
}

/** Takes a picture of the visible part of a page, and keeps it in .cache/screenshots. Returns it as PNG. */
export async function keepPicture(page: Page, name: string): Promise<Buffer> {
  mkdirSync(folder, { recursive: true })
  return await page.screenshot({ path: join(folder, `${name}.png`) })
}

/** Takes and keeps a picture likewise, and measures it, which takes a while. */
export async function pictureOf(page: Page, name: string): Promise<Picture> {
  const png = await keepPicture(page, name)
  const blank = await page.context().newPage()
  try {
    return await blank.evaluate(measure, png.toString("base64"))
  } finally {
    await blank.close()
  }
}

/** Measures a picture. Runs in the browser, which can decode it. */
async function measure(png: string): Promise<Picture> {
  const image = new Image()
  image.src = `data:image/png;base64,${png}`
  await image.decode()
  const canvas = new OffscreenCanvas(image.width, image.height)
  const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, image.width, image.height)
  const counts = new Map<number, number>()
  let luminance = 0
  for (const pixel of new Uint32Array(data.buffer)) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
  for (const [colour, count] of counts) {
    const [red, green, blue] = [colour & 255, colour >> 8 & 255, colour >> 16 & 255]
    luminance += count * (0.2126 * red + 0.7152 * green + 0.0722 * blue)
  }
  const pixels = data.length / 4
  return {
    meanLuminance: luminance / pixels,
    colours: counts.size,
    drawn: 1 - Math.max(...counts.values()) / pixels,
  }
}
