import type { Page } from "playwright-core"

/** Returns the mean luminance of the visible part of a page, from 0 (black) to 255 (white). */
export async function luminanceOf(page: Page): Promise<number> {
  const png = await page.screenshot()
  const blank = await page.context().newPage()
  try {
    return await blank.evaluate(measure, png.toString("base64"))
  } finally {
    await blank.close()
  }
}

/** Measures a picture. Runs in the browser, which can decode it. */
async function measure(png: string): Promise<number> {
  const image = new Image()
  image.src = `data:image/png;base64,${png}`
  await image.decode()
  const canvas = new OffscreenCanvas(image.width, image.height)
  const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, image.width, image.height)
  let sum = 0
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
    sum += 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  return sum / (data.length / 4)
}
