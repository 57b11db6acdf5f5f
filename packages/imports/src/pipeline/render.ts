import {
  createLookup,
  createRenderer,
  HtmlTooLongError,
  listLanguages,
  loadHighlighter,
  loadMathEngine,
  type RenderContext,
  type Rendered,
} from '@oxbow/markdown'
import { streamHref } from '@oxbow/markdown/hash'
import { writeMention, writeStreamLink } from '@oxbow/markdown/write-markdown'
import type { Adapter, MessageRef, TextWriter } from '../model/source.ts'
import type { Tally } from '../report/tally.ts'
import { escapeInline, writeLink } from '../text/escape.ts'
import { findEmoji } from './emoji.ts'
import type { Team } from './team.ts'

/** Id of the organization in the export, which paths of uploads and emoji contain. */
export const exportedOrganization = 1

export type Render = (text: string, maxHtmlCharacters?: number) => Rendered | undefined

/** Returns the renderer of messages, which knows the people, streams and emoji of the import and needs no database. */
export async function makeRender(team: Team): Promise<Render> {
  const renderer = createRenderer({
    highlight: await loadHighlighter(listLanguages()),
    math: await loadMathEngine(),
  })
  const context: RenderContext = {
    lookup: createLookup({
      people: team.people.map(({ id, name }) => ({ id, fullName: name })),
      streams: team.places.flatMap(({ id, name, kind, archivedName }) =>
        kind === 'conversation' || archivedName !== undefined ? [] : [{ id, name }],
      ),
      customEmoji: team.emoji.map(({ id, name }) => ({
        name,
        sourceUrl: `/user_avatars/${exportedOrganization}/emoji/images/${id}.png`,
      })),
    }),
    previews: { images: true },
  }
  return (text, maxHtmlCharacters) => {
    try {
      return renderer.render(
        text,
        maxHtmlCharacters === undefined ? context : { ...context, maxHtmlCharacters },
      )
    } catch (error) {
      if (error instanceof HtmlTooLongError) return undefined
      throw error
    }
  }
}

/** Writes the references of texts, with the names and ids of the import. */
export class TeamWriter implements TextWriter {
  readonly #adapter: Adapter
  readonly #team: Team
  readonly #tally: Tally
  readonly #findMessage: (ref: MessageRef) => string | undefined

  constructor(
    adapter: Adapter,
    team: Team,
    tally: Tally,
    findMessage: (ref: MessageRef) => string | undefined = () => undefined,
  ) {
    this.#adapter = adapter
    this.#team = team
    this.#tally = tally
    this.#findMessage = findMessage
  }

  mention(sourceId: string, fallbackName = ''): string {
    const person = this.#team.person(sourceId)
    if (person) return writeMention({ id: person.id, fullName: person.name })
    return escapeInline(`@${fallbackName || 'unknown person'}`)
  }

  mentionAll(): string {
    this.#tally.lose('mention_of_all')
    return '@**all**'
  }

  mentionGroup = (_id: string, fallbackName = ''): string => escapeInline(`@${fallbackName || 'group'}`)

  placeLink(sourceId: string, fallbackName = ''): string {
    const place = this.#team.place(sourceId)
    if (!place || place.kind === 'conversation')
      return escapeInline(`#${place?.sourceName || fallbackName || 'channel'}`)
    if (place.archivedName === undefined) return writeStreamLink({ id: place.id, name: place.name })
    return writeLink(`#${place.name}`, streamHref({ id: place.id, name: place.archivedName }))
  }

  messageUrl(ref: MessageRef): string | undefined {
    const url = this.#findMessage(ref)
    if (url === undefined) this.lose('unresolved_link')
    return url
  }

  emoji(sourceName: string): string {
    const found = findEmoji(this.#adapter, this.#team, sourceName)
    return found ? `:${found.name}:` : escapeInline(`:${sourceName}:`)
  }

  lose(what: Parameters<TextWriter['lose']>[0]): void {
    this.#tally.lose(what)
  }
}
