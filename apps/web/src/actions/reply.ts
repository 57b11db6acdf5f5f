import type { WindowMessage } from '@oxbow/sdk/windows'
import { openComposer } from '../composer/open-composer.ts'
import { targetOf } from '../data/message-target.ts'
import type { Target } from '../data/target.ts'
import { routeOfMessage } from './copy-link.ts'

/** Focuses a composer that writes to the conversation of a message. Returns the target of its draft. */
export const replyTo = (message: WindowMessage): Target =>
  openComposer(targetOf(message), routeOfMessage(message))
