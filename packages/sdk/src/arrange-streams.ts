import type { StreamFolder, StreamFolderId, StreamId, StreamSection } from '@oxbow/contract'

/** The fields of a stream that decide in which section it is shown. */
export interface ArrangedStream {
  readonly stream_id: StreamId
  readonly pin_to_top: boolean
  readonly folder_id?: StreamFolderId | null | undefined
}

/** A section of the list of streams with the streams that it shows. */
export type ShownSection<Stream> = SectionKey & { readonly streams: readonly Stream[] }

type SectionKey =
  | { readonly kind: 'pinned' | 'other' }
  | { readonly kind: 'own'; readonly name: string }
  | { readonly kind: 'shared'; readonly folder: StreamFolder }

/**
 * Returns the sections of an account's list of streams in their order, empty ones included. A stream is shown
 * once: if it is pinned, in the section `pinned`; otherwise in the own folder that lists it; otherwise in its
 * folder of the organization, unless that is archived; otherwise in the section `other`.
 *
 * Streams that the account put into an order come first, in this order. The others keep the order of `streams`.
 * Sections that the account did not arrange have their usual places: `pinned` is first, `other` is last, and
 * folders of the organization stand before `other`, in the organization's order.
 */
export function arrangeStreams<Stream extends ArrangedStream>(
  streams: readonly Stream[],
  { sections = [], folders = [] }: { sections?: readonly StreamSection[]; folders?: readonly StreamFolder[] },
): ShownSection<Stream>[] {
  const keys = listKeys(sections, folders)
  const ownFolders = new Map<StreamId, string>()
  for (const section of sections)
    if (section.kind === 'own') for (const id of section.stream_ids) ownFolders.set(id, section.name)
  const shared = new Set(keys.flatMap((key) => (key.kind === 'shared' ? key.folder.id : [])))
  const grouped = Map.groupBy(streams, ({ stream_id, pin_to_top, folder_id }) => {
    if (pin_to_top) return 'pinned'
    const own = ownFolders.get(stream_id)
    if (own !== undefined) return `own ${own}`
    return folder_id && shared.has(folder_id) ? `shared ${folder_id}` : 'other'
  })
  const orders = new Map(sections.map((section) => [identifyArranged(section), section.stream_ids]))
  return keys.map((key) => {
    const identity = identifySection(key)
    return { ...key, streams: inOrder(grouped.get(identity) ?? [], orders.get(identity) ?? []) }
  })
}

/** Puts the streams of `order` first. The others keep their order. */
function inOrder<Stream extends ArrangedStream>(
  streams: readonly Stream[],
  order: readonly StreamId[],
): Stream[] {
  const places = new Map(order.map((id, place) => [id, place]))
  const placeOf = ({ stream_id }: Stream) => places.get(stream_id) ?? order.length
  return streams.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** Returns the identity of a section: no two sections of an account have the same. */
export function identifySection(key: SectionKey): string {
  if (key.kind === 'own') return `own ${key.name}`
  return key.kind === 'shared' ? `shared ${key.folder.id}` : key.kind
}

/** Returns what `identifySection` returns for the section. */
export function identifyArranged(section: StreamSection): string {
  if (section.kind === 'own') return `own ${section.name}`
  return section.kind === 'shared' ? `shared ${section.folder_id}` : section.kind
}

function listKeys(sections: readonly StreamSection[], folders: readonly StreamFolder[]): SectionKey[] {
  const active = new Map(
    folders.filter(({ is_archived }) => !is_archived).map((folder) => [folder.id, folder] as const),
  )
  const keys = sections.flatMap((section): SectionKey[] => {
    if (section.kind === 'own') return [{ kind: 'own', name: section.name }]
    if (section.kind !== 'shared') return [{ kind: section.kind }]
    const folder = active.get(section.folder_id)
    active.delete(section.folder_id)
    return folder ? [{ kind: 'shared', folder }] : []
  })
  const has = (kind: SectionKey['kind']) => keys.some((key) => key.kind === kind)
  if (!has('pinned')) keys.unshift({ kind: 'pinned' })
  if (!has('other')) keys.push({ kind: 'other' })
  const beforeOther = keys.findIndex(({ kind }) => kind === 'other')
  keys.splice(beforeOther, 0, ...[...active.values()].map((folder) => ({ kind: 'shared' as const, folder })))
  return keys
}
