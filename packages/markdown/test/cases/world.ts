import { compileLinkifier, createLookup, type RenderContext } from '../../src/index.ts'
import type { CaseSettings } from './case.ts'

/** The organization in which all cases are rendered. */
const lookup = createLookup({
  people: [
    { id: 10, fullName: 'Iris Moor' },
    { id: 11, fullName: 'Otto Lind' },
    { id: 12, fullName: "Ada O'Hara" },
    { id: 13, fullName: 'Sam Park' },
    { id: 14, fullName: 'Sam Park' },
    { id: 15, fullName: 'Tom & <Jo>' },
  ],
  groups: [
    { id: 3, name: 'gardeners' },
    { id: 4, name: 'night shift' },
  ],
  streams: [
    { id: 1, name: 'garden' },
    { id: 2, name: 'Frost & Moss' },
    { id: 5, name: 'a.b/c' },
    { id: 6, name: 'très bien' },
    { id: 7, name: 'a>b' },
  ],
  customEmoji: [
    { name: 'sprout', sourceUrl: '/user_avatars/2/emoji/images/1.png' },
    { name: 'green_leaf', sourceUrl: '/user_avatars/2/emoji/images/2.png' },
    { name: 'rocket', sourceUrl: '/user_avatars/2/emoji/images/3.png' },
  ],
})

const linkifiers = [
  linkifierOf('#(?P<id>[0-9]+)', 'https://tracker.example/issues/%(id)s'),
  linkifierOf('bug (?P<project>[a-z]+)-(?P<id>[0-9]+)', 'https://bugs.example/%(project)s?id=%(id)s'),
  linkifierOf('(?P<hash>[0-9a-f]{12})', 'https://code.example/commit/%(hash)s'),
]

function linkifierOf(pattern: string, urlFormat: string) {
  const result = compileLinkifier(pattern, urlFormat)
  if ('errors' in result) throw new Error(`the pattern ${pattern} is refused`)
  return result.linkifier
}

export function contextOf(settings: CaseSettings = {}): RenderContext {
  return {
    lookup,
    linkifiers,
    origin: 'https://chat.example',
    now: new Date('2020-05-15T12:30:00Z'),
    previews: {
      images: settings.previews !== false,
      pages: new Map(Object.entries(settings.pages ?? {})),
      uploads: new Map(settings.uploads?.map((picture) => [picture.path, picture])),
    },
    translateEmoticons: settings.translateEmoticons ?? false,
    defaultCodeLanguage: settings.defaultCodeLanguage ?? null,
  }
}
