import sharp from 'sharp'

/**
 * Draws hills under a sky. The name determines the colours, so that pictures differ from each other
 * but not between runs.
 */
export function drawLandscape(name: string, width = 960, height = 640): Promise<Buffer> {
  const hue = hueOf(name)
  const hill = (level: number, lightness: number) =>
    `<path fill="hsl(${hue} 38% ${lightness}%)" d="M0 ${height * level} C ${width * 0.25} ${height * (level - 0.16)} ${width * 0.45} ${height * (level + 0.12)} ${width * 0.62} ${height * level} S ${width * 0.9} ${height * (level - 0.1)} ${width} ${height * level} V ${height} H 0 Z"/>`
  const sky = `<rect width="100%" height="100%" fill="hsl(${(hue + 160) % 360} 45% 86%)"/>`
  const sun = `<circle cx="${width * 0.72}" cy="${height * 0.26}" r="${height * 0.1}" fill="hsl(44 90% 70%)"/>`
  return drawSvg(width, height, `${sky}${sun}${hill(0.55, 62)}${hill(0.68, 46)}${hill(0.82, 32)}`)
}

/** Draws a face of circles for an avatar. */
export function drawFace(name: string): Promise<Buffer> {
  const hue = hueOf(name)
  const ground = `<rect width="100%" height="100%" fill="hsl(${hue} 46% 72%)"/>`
  const head = `<circle cx="100" cy="84" r="42" fill="hsl(${(hue + 30) % 360} 40% 92%)"/>`
  const body = `<ellipse cx="100" cy="196" rx="76" ry="64" fill="hsl(${hue} 42% 38%)"/>`
  return drawSvg(200, 200, `${ground}${body}${head}`)
}

// Unblocks SVG, because the server blocks this format and may run in the same process.
async function drawSvg(width: number, height: number, content: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`
  sharp.unblock({ operation: ['VipsForeignLoadSvg'] })
  return sharp(Buffer.from(svg)).png().toBuffer()
}

function hueOf(name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7)
}
