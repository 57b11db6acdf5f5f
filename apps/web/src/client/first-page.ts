import type { MessageFetch } from '@oxbow/contract'
import type { Anchor, Term } from '@oxbow/sdk/windows'

/** The messages that the first view shows. They are requested together with the state. */
export interface FirstPage {
  readonly narrow: readonly Term[]
  readonly anchor: Anchor
}

/** Number of messages on each side of the anchor: more than fit on a tall screen. */
const firstMessages = 60

/** Returns the argument of `register` for a first page. */
export const toMessageFetch = ({ narrow, anchor }: FirstPage): MessageFetch => ({
  narrow: narrow.map((term) => ({ negated: false, ...term })) as MessageFetch['narrow'],
  anchor,
  num_before: firstMessages,
  num_after: firstMessages,
})
