import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { tellTyping } from './tell-typing.ts'

export const typingRoutes: Routes<typeof api.typing> = { tell: tellTyping, tellShort: tellTyping }
