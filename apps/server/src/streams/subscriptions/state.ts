import type { StateSlice } from '../../events/state-slice.ts'
import { readSubscriptions } from './list-subscriptions.ts'

export const subscriptionsState: StateSlice = {
  types: ['subscription'],
  read: ({ app, actor, db, options }) =>
    readSubscriptions(app, db, actor, {
      withMembers: options.include_subscribers,
      keepsNullSettings: options.notification_settings_null,
      scope: 'all',
    }),
}
