import type { OrganizationId } from '@oxbow/contract'
import type { IdMaps } from './id-maps.ts'

export interface TextMapping {
  ids: Pick<IdMaps, 'find'>
  from: { id: number }
  /** Matches links to the exported server; made with `linkTo`. */
  ownLink: RegExp
  to: { id: OrganizationId; url: string }
  /** Returns the HTML with pictures of other hosts loaded through this server's proxy. */
  proxyPictures: (html: string) => string
}

/** Characters that end a URL in a text, in Markdown and in HTML. */
const outside = `\\s"'<>()\\[\\]\`|*`
/** Matches links to the exported server, with its address or relative. A relative link begins behind a separator. */
export function linkTo(url: string | null): RegExp {
  const address = url === null ? '(?!)' : RegExp.escape(url)
  return new RegExp(
    `(?:(${address})|(?<![^${outside},;:]))(/?)(?:(user_uploads/(?:thumbnail/)?)(\\d{1,15})(?=/[0-9a-f]{2}/[\\w-]{24}/)|#narrow/([^${outside}]*))`,
    'g',
  )
}

/**
 * Maps paths of uploads, and links to streams, people and messages. The text may be Markdown or
 * HTML.
 */
function mapLinks(text: string, { ids, from, to, ownLink }: TextMapping): string {
  if (!text.includes('user_uploads/') && !text.includes('#narrow/')) return text
  return text.replace(
    ownLink,
    (
      link,
      address: string | undefined,
      slash: string,
      uploads: string | undefined,
      organization: string,
      narrow: string,
    ) => {
      const start = `${address === undefined ? '' : to.url}${slash}`
      if (uploads === undefined) return `${start}#narrow/${mapNarrow(narrow, ids)}`
      return Number(organization) === from.id ? `${start}${uploads}${to.id}` : link
    },
  )
}

/** Kind of the id with which an operand begins, by the operator of the narrow. */
const operands: Readonly<Record<string, 'recipient' | 'user' | 'message'>> = {
  stream: 'recipient',
  channel: 'recipient',
  'pm-with': 'user',
  dm: 'user',
  'group-pm-with': 'user',
  'dm-including': 'user',
  sender: 'user',
  from: 'user',
  near: 'message',
  id: 'message',
  with: 'message',
}

function mapNarrow(narrow: string, ids: TextMapping['ids']): string {
  const parts = narrow.split('/')
  return parts
    .map((part, index) => {
      const operator = index % 2 === 1 ? (parts[index - 1] ?? '').replace(/^-/, '') : ''
      const kind = Object.hasOwn(operands, operator) ? operands[operator] : undefined
      if (!kind) return part
      return part.replace(/^\d{1,16}(?:,\d{1,16})*(?=-|$)/, (list) =>
        list
          .split(',')
          .map((id) => ids.find(kind, Number(id)) ?? id)
          .join(),
      )
    })
    .join('/')
}

const mentionWithId = /(@_?\*\*[^*\0]+\|)(\d{1,10})(?=\*\*)/g

/** Maps the ids and paths in Markdown. HTML can contain Markdown too, for example in code blocks. */
export function mapMarkdown(text: string, mapping: TextMapping): string {
  const mapped = mapLinks(text, mapping)
  if (!mapped.includes('|')) return mapped
  return mapped.replace(
    mentionWithId,
    (_, name: string, id: string) => `${name}${mapping.ids.find('user', Number(id)) ?? id}`,
  )
}

/** Matches tags, and the rest of the HTML after an unclosed one, so that it is not searched again. */
const tagOrRest = /<[A-Za-z][^>]*>?/g
const idAttribute = / data-(user|stream|user-group)-id="(\d{1,16})"/g
const kindOfAttribute = { user: 'user', stream: 'recipient', 'user-group': 'user_group' } as const
const emojiPicture = /(\/user_avatars\/)(\d{1,15})(\/emoji\/images\/)(\d{1,15})(?=\.(?:png|gif|webp)")/g
const externalPicture = /\/external_content\/[0-9a-f]{40}\/((?:[0-9a-f]{2})+)(?=(["')]))/g

const pictureUrl = /^https?:\/\/[^/?#\\]/i

/** Maps the ids and paths in rendered HTML. Ids in attributes are mapped only inside tags. */
export function mapHtml(html: string, mapping: TextMapping): string {
  const { ids, from, to } = mapping
  const mapped = mapMarkdown(html, mapping).replace(tagOrRest, (source) => {
    if (!source.endsWith('>')) return source
    return source
      .replace(idAttribute, (attribute, name: keyof typeof kindOfAttribute, id: string) => {
        const found = ids.find(kindOfAttribute[name], Number(id))
        return found === undefined ? attribute : ` data-${name}-id="${found}"`
      })
      .replace(emojiPicture, (path, start: string, organization: string, middle: string, id: string) => {
        const found = Number(organization) === from.id ? ids.find('emoji', Number(id)) : undefined
        return found === undefined ? path : `${start}${to.id}${middle}${found}`
      })
      .replace(externalPicture, (path, hex: string, next: string) => {
        const url = Buffer.from(hex, 'hex').toString()
        // This server did not sign the path, so the decoded URL may be anything, such as a script.
        return pictureUrl.test(url) ? escapeUrl(url, next === ')') : path
      })
  })
  return mapping.proxyPictures(mapped)
}

/** Escapes a URL for an attribute, or for `url(…)` in a style. */
function escapeUrl(url: string, isInStyle: boolean): string {
  const unsafe = isInStyle ? /["'<>()\\\s;{}]/g : /["<>\\\s]/g
  const encode = (character: string) =>
    `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  return url.replace(unsafe, encode).replaceAll('&', '&amp;')
}
