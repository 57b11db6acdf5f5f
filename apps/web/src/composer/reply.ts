import type { WindowMessage } from '@oxbow/sdk/windows'
import { type Target, targetOf } from '../client/conversations/target.ts'
import { routeOfMessage } from '../client/messages/links.ts'
import { openComposer } from './open-composer.ts'

/** Focuses a composer that writes to the conversation of a message. Returns the target of its draft. */
export const replyTo = (message: WindowMessage): Target =>
  openComposer(targetOf(message), routeOfMessage(message))
