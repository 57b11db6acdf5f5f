import { listServices } from '@oxbow/integrations'
import { sealBindingOfConfig, sealBindingOfToken } from '../accounts/service-seals.ts'
import type { Feature } from '../feature.ts'
import { sealedColumn } from '../platform/reseal.ts'
import { removeAvatarFiles } from './avatar/avatar-files.ts'
import { avatarPages } from './avatar/avatar-pages.ts'
import { avatarFileReferences } from './avatar/queries.ts'
import { createBotCatalog } from './bots/catalog.ts'
import { botEventShape } from './bots/event-shape.ts'
import { botRoutes, botStorageRoutes } from './bots/routes.ts'
import { botsState, embeddedBotsState } from './bots/state.ts'
import { deleteOldEmailChanges, mailEmailChange } from './change-email.ts'
import { mailEmailChanged } from './confirm-email.ts'
import { confirmEmailPages } from './confirm-email-page.ts'
import { sealBindingOfEmailChange } from './email-changes.ts'
import { userEventShape } from './event-shape.ts'
import { userRoutes } from './routes.ts'
import { usersState } from './state.ts'

/** Accounts, profiles, avatars, bots, and the user's own name, address and password. */
export const usersFeature = {
  routes: {
    users: userRoutes,
    bots: botRoutes(createBotCatalog(await listServices())),
    botStorage: botStorageRoutes,
  },
  pages: (app) => [...confirmEmailPages(app), ...avatarPages(app)],
  state: [usersState, botsState, embeddedBotsState],
  eventShapes: (secrets) => [userEventShape(secrets), botEventShape(secrets)],
  jobs: [mailEmailChange, mailEmailChanged, deleteOldEmailChanges, removeAvatarFiles],
  files: { required: [avatarFileReferences] },
  fileFolders: ['avatars'],
  seals: [
    sealedColumn({
      table: 'bot_service',
      id: 'user_id',
      column: 'token_sealed',
      binding: sealBindingOfToken,
    }),
    sealedColumn({
      table: 'bot_service',
      id: 'user_id',
      column: 'config_sealed',
      binding: sealBindingOfConfig,
    }),
    sealedColumn({
      table: 'email_change',
      id: 'id',
      column: 'key_sealed',
      boundColumns: ['user_id', 'new_email'],
      binding: sealBindingOfEmailChange,
    }),
  ],
} satisfies Feature
