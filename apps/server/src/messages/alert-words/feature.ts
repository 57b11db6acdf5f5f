import type { api } from '@oxbow/contract'
import type { StateSlice } from '../../events/state-slice.ts'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { addAlertWords, listAlertWords, removeAlertWords } from './change-alert-words.ts'
import { listAlertWordsOfUser } from './queries.ts'

const alertWordRoutes: Routes<typeof api.alertWords> = {
  list: listAlertWords,
  add: addAlertWords,
  remove: removeAlertWords,
}

const alertWordsState: StateSlice = {
  types: ['alert_words'],
  read: async ({ actor, db }) => ({ alert_words: await listAlertWordsOfUser(db, actor) }),
}

/** Words whose occurrence in a message alerts a user. */
export const alertWordsFeature = {
  routes: { alertWords: alertWordRoutes },
  state: [alertWordsState],
} satisfies Feature
