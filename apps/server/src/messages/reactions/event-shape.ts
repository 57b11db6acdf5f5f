import type { EventShape } from '../../events/event-shape.ts'
import { toLegacyType } from './legacy-names.ts'

const legacy = 'legacy'

export const reactionEventShape: EventShape = {
  type: 'reaction',
  variant: ({ legacy_names }) => (legacy_names ? legacy : ''),
  render: (event, variant) =>
    variant === legacy ? [{ ...event, reaction_type: toLegacyType(event.reaction_type as string) }] : [event],
}
