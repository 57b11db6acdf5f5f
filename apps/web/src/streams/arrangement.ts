import type { StreamId, StreamSection } from '@oxbow/contract'
import {
  type ArrangedStream,
  identifyArranged,
  identifySection,
  type ShownSection,
} from '@oxbow/sdk/arrangement'
import { findSection, isSectionVisible } from '../client/streams/sections.ts'

/** How a list of streams is shown, and what is stored of it. Both list sections in their order. */
export interface Arrangement {
  readonly shown: readonly ShownSection<ArrangedStream>[]
  readonly stored: readonly StreamSection[]
}

type Step = 1 | -1

/** Lists every section explicitly, so that each can be moved and changed. */
function listSections({ shown, stored }: Arrangement): StreamSection[] {
  const orders = new Map(stored.map((section) => [identifyArranged(section), section.stream_ids]))
  return shown.map((section) => {
    const stream_ids = orders.get(identifySection(section)) ?? []
    if (section.kind === 'own') return { kind: 'own', name: section.name, stream_ids }
    if (section.kind === 'shared') return { kind: 'shared', folder_id: section.folder.id, stream_ids }
    return { kind: section.kind, stream_ids }
  })
}

/** Swaps two sections or streams; undefined if one is missing. */
function swap<Item>(list: readonly Item[], one: number, other: number): Item[] | undefined {
  const [a, b] = [list[one], list[other]]
  return a !== undefined && b !== undefined ? list.with(one, b).with(other, a) : undefined
}

/** Moves a section past the next visible one; undefined if it is already the first or the last. */
export function withSectionMoved(
  arrangement: Arrangement,
  identity: string,
  step: Step,
): StreamSection[] | undefined {
  const { shown } = arrangement
  const visible = shown.filter(isSectionVisible).map(identifySection)
  const neighbour = visible[visible.indexOf(identity) + step]
  const indexOf = (wanted: string | undefined) =>
    shown.findIndex((section) => identifySection(section) === wanted)
  return swap(listSections(arrangement), indexOf(identity), indexOf(neighbour))
}

/** Moves a stream within its section; undefined if it is already the first or the last. */
export function withStreamMoved(
  arrangement: Arrangement,
  stream_id: StreamId,
  step: Step,
): StreamSection[] | undefined {
  const section = findSection(arrangement.shown, stream_id)
  const ids = section?.streams.map((stream) => stream.stream_id) ?? []
  const index = ids.indexOf(stream_id)
  const order = swap(ids, index, index + step)
  return section && order && withOrder(arrangement, section, order)
}

/** Keeps streams that are listed and not shown: pinned ones of an own folder, and those that were left. */
function withOrder(
  arrangement: Arrangement,
  ordered: ShownSection<ArrangedStream>,
  order: readonly StreamId[],
): StreamSection[] {
  const identity = identifySection(ordered)
  const isOrdered = new Set(order)
  return listSections(arrangement).map((section) =>
    identifyArranged(section) === identity
      ? { ...section, stream_ids: [...order, ...section.stream_ids.filter((id) => !isOrdered.has(id))] }
      : section,
  )
}

/** Puts a stream into an own folder, which is created if it is missing; without a name, takes it out of its own folder. */
export function withStreamInFolder(
  arrangement: Arrangement,
  stream_id: StreamId,
  name: string | undefined,
): StreamSection[] {
  const sections = name === undefined ? listSections(arrangement) : withFolder(arrangement, name)
  return sections.map((section) => {
    if (section.kind !== 'own') return section
    const others = section.stream_ids.filter((id) => id !== stream_id)
    return { ...section, stream_ids: section.name === name ? [...others, stream_id] : others }
  })
}

/** Adds an empty own folder below the other own folders, or below the pinned streams. */
export function withFolder(arrangement: Arrangement, name: string): StreamSection[] {
  const sections = listSections(arrangement)
  if (sections.some((section) => section.kind === 'own' && section.name === name)) return sections
  const last = sections.findLastIndex(({ kind }) => kind === 'own')
  const after = last === -1 ? sections.findIndex(({ kind }) => kind === 'pinned') : last
  return sections.toSpliced(after + 1, 0, { kind: 'own', name, stream_ids: [] })
}

export const withFolderRenamed = (arrangement: Arrangement, name: string, newName: string): StreamSection[] =>
  listSections(arrangement).map((section) =>
    section.kind === 'own' && section.name === name ? { ...section, name: newName } : section,
  )

export const withoutFolder = (arrangement: Arrangement, name: string): StreamSection[] =>
  listSections(arrangement).filter((section) => section.kind !== 'own' || section.name !== name)
