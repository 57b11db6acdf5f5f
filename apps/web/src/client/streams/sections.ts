import type { StreamId, Subscription } from '@oxbow/contract'
import { type ArrangedStream, arrangeStreams, type ShownSection } from '@oxbow/sdk/arrangement'
import { computed } from '@preact/signals'
import { arrangedSections, demoteInactive, streamFolders, subscriptions } from '../store.ts'
import { nameOrder } from './streams.ts'

/** A section of the list of streams. Streams without recent messages may be listed apart. */
export type StreamSection = ShownSection<Subscription> & { readonly inactive: readonly Subscription[] }

/** Accounts with at least this many streams see them divided into active and inactive ones. */
const minDemotedStreams = 20
/** Values of `demote_inactive_streams`. */
const demotePolicies = { automatic: 1, always: 2, never: 3 }

/**
 * The sections of the list of streams in their order, empty ones included. Streams that the account did not
 * put into an order are sorted by name, with muted streams last. Only the section of the other streams lists
 * inactive ones apart.
 */
export const streamSections = computed((): readonly StreamSection[] => {
  const all = subscriptions.value ?? []
  const demotes =
    demoteInactive.value === demotePolicies.always ||
    (demoteInactive.value !== demotePolicies.never && all.length >= minDemotedStreams)
  const shown = arrangeStreams(all.toSorted(compareStreams), {
    sections: arrangedSections.value ?? [],
    folders: streamFolders.value ?? [],
  })
  return shown.map((section) => {
    const isInactive = ({ stream_weekly_traffic }: Subscription) =>
      demotes && section.kind === 'other' && stream_weekly_traffic === 0
    return {
      ...section,
      streams: section.streams.filter((stream) => !isInactive(stream)),
      inactive: section.streams.filter(isInactive),
    }
  })
})

/** The subscriptions in the order of the nav. */
export const orderedStreams = computed(() =>
  streamSections.value.flatMap(({ streams, inactive }) => [...streams, ...inactive]),
)

function compareStreams(one: Subscription, other: Subscription): number {
  return Number(one.is_muted) - Number(other.is_muted) || nameOrder.compare(one.name, other.name)
}

/** Sections without streams are not shown, except own folders, which would be lost otherwise. */
export const isSectionVisible = ({ kind, streams }: ShownSection<unknown>): boolean =>
  streams.length > 0 || kind === 'own'

/** Finds the section that shows a stream. */
export const findSection = <Stream extends ArrangedStream>(
  sections: readonly ShownSection<Stream>[],
  id: StreamId,
): ShownSection<Stream> | undefined =>
  sections.find(({ streams }) => streams.some(({ stream_id }) => stream_id === id))
