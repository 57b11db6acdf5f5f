import {
  ApiError,
  type api,
  foldName,
  maxArrangedStreams,
  type ParamsOf,
  type StreamId,
  type StreamSection,
} from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { lockSettings } from '../../identity/lock-settings.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { replaceSections } from './queries.ts'

/** Replaces the caller's arrangement of streams, and tells the caller's other devices. */
export async function setStreamSections(
  app: App,
  actor: Actor,
  { stream_sections }: ParamsOf<typeof api.streamSections.set>,
): Promise<object> {
  const { organization_id, user_id } = actor
  refuseRepetitions(stream_sections)
  return writeAs(app, actor, async (tx) => {
    await lockSettings(tx, actor)
    await replaceSections(tx, actor, stream_sections)
    emit(tx, {
      organization_id,
      event: { type: 'stream_sections', stream_sections },
      to: { users: [user_id] },
    })
    return {}
  })
}

/** Refuses a section that is listed twice, and a stream that is listed twice in a section or in two own folders. */
function refuseRepetitions(sections: readonly StreamSection[]): void {
  const names = new Set(sections.map(identifySection))
  if (names.size < sections.length) throw new ApiError('STREAM_SECTION_TWICE')
  const count = sections.reduce((sum, { stream_ids }) => sum + stream_ids.length, 0)
  if (count > maxArrangedStreams)
    throw new ApiError('TOO_MANY_ARRANGED_STREAMS', { limit: maxArrangedStreams })
  const own = sections.flatMap(({ kind, stream_ids }) => (kind === 'own' ? stream_ids : []))
  const others = sections.flatMap(({ kind, stream_ids }) => (kind === 'own' ? [] : [stream_ids]))
  for (const list of [own, ...others]) {
    const seen = new Set<StreamId>()
    for (const id of list) {
      if (seen.has(id)) throw new ApiError('STREAM_ARRANGED_TWICE', { id })
      seen.add(id)
    }
  }
}

function identifySection(section: StreamSection): string {
  if (section.kind === 'own') return `own ${foldName(section.name)}`
  return section.kind === 'shared' ? `shared ${section.folder_id}` : section.kind
}
