import { batch } from '@preact/signals'
import { prependToDraft } from '../data/drafts.ts'
import { discard } from '../data/outbox.ts'
import { openRoute } from '../router/router.ts'
import { focusComposer } from './focus.ts'
import { routeOfTarget } from './target-route.ts'

/** Moves the text of an unsent message back into the composer of its conversation. */
export function editUnsent(local_id: string): void {
  batch(() => {
    const entry = discard(local_id)
    if (!entry) return
    prependToDraft(entry.target, entry.content)
    openRoute(routeOfTarget(entry.target))
  })
  requestAnimationFrame(focusComposer)
}
