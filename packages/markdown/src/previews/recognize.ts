const imageEndings = ['.bmp', '.gif', '.jpe', 'jpeg', '.jpg', '.png', '.webp']
const webOrRelative = /^(?:https?:\/\/[^/?#]+\/|(?![A-Za-z][A-Za-z0-9+.-]*:|#))([^?#]*)/i
const codeHostImage = /^https:\/\/github\.com\/([^/?#]+)\/([^/?#]+)\/blob\/([^?#]+)$/
const video =
  /^https?:\/\/(?:www\.|m\.)?(?:youtu\.be\/|youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|embed\/|v\/))([\w-]{6,20})(?:[?&#/]|$)/

/** Returns whether links to this path have a picture as their preview. */
export function isImagePath(path: string): boolean {
  const lowerCase = path.toLowerCase()
  return imageEndings.some((ending) => lowerCase.endsWith(ending))
}

const webPage = /^https?:\/\/[^/?#]/i

/** Returns whether a link may lead to a page on another server, judged by its address alone. */
export function isPage(href: string): boolean {
  return webPage.test(href) && recognizeTarget(href)?.kind !== 'image'
}

export type Recognized = { kind: 'image'; src: string } | { kind: 'video'; id: string }

/** Returns the kind of target that a link has, judged by its address alone. */
export function recognizeTarget(href: string): Recognized | undefined {
  const id = video.exec(href)?.[1]
  if (id) return { kind: 'video', id }
  const path = webOrRelative.exec(href)?.[1]
  if (path === undefined || !isImagePath(path)) return undefined
  const [, owner, repository, file] = codeHostImage.exec(href) ?? []
  const raw = owner && `https://raw.githubusercontent.com/${owner}/${repository}/${file}`
  return { kind: 'image', src: raw || href }
}
