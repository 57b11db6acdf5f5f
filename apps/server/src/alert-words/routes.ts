import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { addAlertWords, listAlertWords, removeAlertWords } from './change-alert-words.ts'

export const alertWordRoutes: Routes<typeof api.alertWords> = {
  list: listAlertWords,
  add: addAlertWords,
  remove: removeAlertWords,
}
