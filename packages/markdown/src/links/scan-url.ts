import { isTopLevelDomain } from './top-level-domains.ts'

const webHost = /https?:\/\/[\p{L}\p{N}_.:@-]+/uy
const email = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}_-]{1,63}\.)+[\p{L}\p{N}_]{1,63}/uy
const bareDomain = /(?:[\p{L}\p{N}_-]{1,63}\.)+([A-Za-z0-9-]+)/uy
const bitcoin = /bitcoin:[13][1-9A-HJ-NP-Za-km-z]{25,34}/y
const trailing = /[!:;?),.'">]*(?=\s|$)/y
const trailingCharacters = '!:;?),.\'">'
const maxParentheses = 6
/**
 * Maximum length of a path; browsers accept only slightly longer URLs. Without a limit, every start
 * of a URL in a text could be scanned to the end of the text.
 */
const maxPathCharacters = 2000
const ordinary = /[^\s()"\0]{1,2000}/y

/** Returns the end of the URL that begins at `start`, or -1. The caller must check the left boundary. */
export function findUrlEnd(text: string, start: number): number {
  const address = findAddressEnd(text, start)
  if (address !== -1) return address
  const hostEnd = findHostEnd(text, start)
  if (hostEnd === -1) return -1
  const stop = text.charAt(hostEnd) === '/' ? findPathStop(text, hostEnd) : hostEnd
  if (!endsAt(text, stop)) return -1
  let end = stop
  // A closing parenthesis here ends a pair inside the path, so it belongs to the URL.
  while (end > start && text[end - 1] !== ')' && trailingCharacters.includes(text.charAt(end - 1))) end--
  return end
}

/**
 * Returns the end of an e-mail or bitcoin address. These have no path, so a slash after them means
 * that there is no match.
 */
function findAddressEnd(text: string, start: number): number {
  for (const pattern of [email, bitcoin]) {
    const end = matchEnd(pattern, text, start)
    if (end !== -1 && endsAt(text, end)) return end
  }
  return -1
}

/** Returns whether there is only punctuation between a position and the next whitespace. */
function endsAt(text: string, position: number): boolean {
  trailing.lastIndex = position
  return trailing.test(text)
}

function findHostEnd(text: string, start: number): number {
  const web = matchEnd(webHost, text, start)
  if (web !== -1) return web
  bareDomain.lastIndex = start
  const domain = bareDomain.exec(text)?.[1]
  return domain !== undefined && isTopLevelDomain(domain) ? bareDomain.lastIndex : -1
}

function matchEnd(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : -1
}

/** Returns the end of the path, which is at whitespace, a double quote or an unbalanced parenthesis. */
function findPathStop(text: string, start: number): number {
  const open: number[] = []
  let at = start
  while (at < text.length && at - start < maxPathCharacters) {
    ordinary.lastIndex = at
    if (ordinary.test(text)) at = ordinary.lastIndex
    const character = text.charAt(at)
    if (character === '(' && open.length < maxParentheses) open.push(at)
    else if (character === ')' && open.length > 0) open.pop()
    else break
    at++
  }
  return open[0] ?? at
}
