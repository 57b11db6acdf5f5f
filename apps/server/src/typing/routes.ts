import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { sendTypingNotification } from './send-typing-notification.ts'

export const typingRoutes: Routes<typeof api.typing> = {
  tell: sendTypingNotification,
  tellShort: sendTypingNotification,
}
