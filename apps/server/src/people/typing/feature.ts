import type { api } from '@oxbow/contract'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { sendTypingNotification } from './send-typing-notification.ts'

const typingRoutes: Routes<typeof api.typing> = {
  tell: sendTypingNotification,
  tellShort: sendTypingNotification,
}

/** Typing notifications. */
export const typingFeature = {
  routes: { typing: typingRoutes },
} satisfies Feature
