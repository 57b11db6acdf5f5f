import type { StateSlice } from '../events/state-slice.ts'
import { listAlertWordsOfUser } from './queries.ts'

export const alertWordsState: StateSlice = {
  types: ['alert_words'],
  read: async ({ actor, db }) => ({ alert_words: await listAlertWordsOfUser(db, actor) }),
}
