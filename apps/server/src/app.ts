import { type Api, listEndpoints } from '@oxbow/contract'
import { listServices } from '@oxbow/integrations'
import type { FastifyInstance } from 'fastify'
import { alertWordRoutes } from './alert-words/routes.ts'
import { deviceRoutes } from './devices/routes.ts'
import { domainRoutes } from './domains/routes.ts'
import { draftRoutes } from './drafts/routes.ts'
import { emojiPages } from './emoji/pictures.ts'
import { emojiRoutes } from './emoji/routes.ts'
import { homePages } from './home/home-pages.ts'
import { authenticate } from './identity/authenticate.ts'
import { deleteExpiredSessionsJob } from './identity/delete-expired-sessions.ts'
import { deleteOldResponses, idempotentResponses } from './identity/idempotent-responses.ts'
import { forgetOldInvitations } from './invitations/forget-old-invitations.ts'
import { mailInvitation } from './invitations/invitation-email.ts'
import { invitePages } from './invitations/invite-page.ts'
import { confirmPages } from './invitations/joining/confirm-pages.ts'
import { mailSignUp } from './invitations/joining/sign-up-email.ts'
import { signUpPages } from './invitations/joining/sign-up-pages.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { linkifierRoutes } from './linkifiers/routes.ts'
import { sendNotices } from './messages/notices.ts'
import { messageRoutes } from './messages/routes.ts'
import { scheduledMessageRoutes } from './messages/scheduled/routes.ts'
import { indexMessages } from './messages/search/index-messages.ts'
import { topicRoutes } from './messages/topics.ts'
import { countTraffic } from './messages/upkeep/count-traffic.ts'
import { deleteOldMessages } from './messages/upkeep/retention.ts'
import { serverRoutes } from './organization/routes.ts'
import { finderPages } from './organization-finder/finder-pages.ts'
import { mailOrganizations } from './organization-finder/organizations-email.ts'
import { removeOrganizationPictures } from './organization-pictures/picture-files.ts'
import { organizationPicturePages } from './organization-pictures/picture-pages.ts'
import { organizationPictureRoutes } from './organization-pictures/routes.ts'
import { organizationRoutes } from './organization-settings/routes.ts'
import { deleteOldPasswordResets } from './password-reset/delete-old-resets.ts'
import { mailPasswordChanged, mailPasswordReset } from './password-reset/reset-email.ts'
import { passwordResetPages } from './password-reset/reset-pages.ts'
import { permissionRoutes } from './permissions/routes.ts'
import type { App } from './platform/app.ts'
import { tidyFiles } from './platform/files/tidy-files.ts'
import { bind, type Routes } from './platform/http/bind.ts'
import { buildHttpServer } from './platform/http/http-server.ts'
import { OpenRequests } from './platform/http/open-requests.ts'
import { operationsPages, type Readiness } from './platform/http/operations.ts'
import { RateLimiter } from './platform/http/rate-limiter.ts'
import { staticPages } from './platform/http/static-files.ts'
import type { Job } from './platform/jobs.ts'
import { styleRoute } from './platform/pages/style-route.ts'
import { forgetOldPresence } from './presence/forget-old-presence.ts'
import { presenceRoutes } from './presence/routes.ts'
import { profileFieldRoutes } from './profile-fields/routes.ts'
import { eventRoutes } from './queues/routes.ts'
import { referencePages } from './reference/pages.ts'
import { reportRoutes } from './reports/routes.ts'
import { rewriteSeals } from './reseal.ts'
import { loginPages } from './sessions/login-pages.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { authenticationRoutes } from './sign-in/routes.ts'
import { deleteOldSignInAttempts } from './sign-in/sign-in-attempts.ts'
import { stateSlices } from './state-slices.ts'
import { defaultStreamRoutes, streamRoutes, subscriptionRoutes } from './streams/routes.ts'
import { typingRoutes } from './typing/routes.ts'
import { uploadPages } from './uploads/pages.ts'
import { expireUploads, removeAbandonedUploads, removeUploadFilesJob } from './uploads/remove-files.ts'
import { uploadRoutes } from './uploads/routes.ts'
import { userGroupRoutes } from './user-groups/routes.ts'
import { userStatusRoutes } from './user-status/routes.ts'
import { removeAvatarFiles } from './users/avatar/avatar-files.ts'
import { avatarPages } from './users/avatar/avatar-pages.ts'
import { createBotCatalog } from './users/bots/catalog.ts'
import { botRoutes, botStorageRoutes } from './users/bots/routes.ts'
import { deleteOldEmailChanges, mailEmailChange } from './users/change-email.ts'
import { mailEmailChanged } from './users/confirm-email.ts'
import { confirmEmailPages } from './users/confirm-email-page.ts'
import { userRoutes } from './users/routes.ts'
import { admitDelivery } from './webhooks/admit-delivery.ts'
import { deleteOldFailuresJob } from './webhooks/failures/delete-old-failures.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/**
 * The actions that serve each group of the contract. A missing group or action is a compile error.
 */
const routes: { readonly [Group in keyof Api]: Routes<Api[Group]> } = {
  server: serverRoutes,
  organization: organizationRoutes,
  authentication: authenticationRoutes,
  sessions: sessionRoutes,
  users: userRoutes,
  invitations: invitationRoutes,
  bots: botRoutes(createBotCatalog(await listServices())),
  botStorage: botStorageRoutes,
  settings: settingsRoutes,
  userStatus: userStatusRoutes,
  alertWords: alertWordRoutes,
  devices: deviceRoutes,
  profileFields: profileFieldRoutes,
  domains: domainRoutes,
  organizationPictures: organizationPictureRoutes,
  linkifiers: linkifierRoutes,
  emoji: emojiRoutes,
  userGroups: userGroupRoutes,
  streams: { ...streamRoutes, ...topicRoutes },
  subscriptions: subscriptionRoutes,
  defaultStreams: defaultStreamRoutes,
  messages: messageRoutes,
  drafts: draftRoutes,
  uploads: uploadRoutes,
  scheduledMessages: scheduledMessageRoutes,
  webhooks: webhookRoutes,
  presence: presenceRoutes,
  typing: typingRoutes,
  permissions: permissionRoutes,
  reports: reportRoutes,
  events: eventRoutes(stateSlices),
}

export const jobs: readonly Job<never>[] = [
  mailEmailChange,
  mailEmailChanged,
  deleteOldEmailChanges,
  mailInvitation,
  mailSignUp,
  forgetOldInvitations,
  mailOrganizations,
  mailPasswordReset,
  mailPasswordChanged,
  deleteOldPasswordResets,
  deleteOldSignInAttempts,
  deleteExpiredSessionsJob,
  deleteOldResponses,
  sendNotices,
  countTraffic,
  indexMessages,
  deleteOldMessages,
  tidyFiles,
  removeAvatarFiles,
  removeOrganizationPictures,
  removeUploadFilesJob,
  expireUploads,
  removeAbandonedUploads,
  deleteOldFailuresJob,
  forgetOldPresence,
  rewriteSeals,
]

export interface HttpOptions {
  readiness: Readiness
  /** Checks every response against the contract. */
  checked: boolean
  /** Milliseconds for which a client may leave a response unread. */
  stallMs?: number | undefined
}

/** Builds the HTTP server from platform and features. */
export function buildApp(app: App, { readiness, checked, stallMs }: HttpOptions): FastifyInstance {
  const { rate_limit_per_minute: limit } = app.config
  const limiter = new RateLimiter(limit)
  const pollLimiter = new RateLimiter(limit * 10)
  const { isCutOff } = readiness
  const openRequests = new OpenRequests(app.config.connections_per_account)
  const pages = [
    ...operationsPages(app, readiness),
    ...staticPages(),
    styleRoute,
    ...homePages(app),
    ...loginPages(app),
    ...finderPages(app),
    ...confirmEmailPages(app),
    ...signUpPages(app),
    ...invitePages(app),
    ...confirmPages(app),
    ...passwordResetPages(app),
    ...avatarPages(app),
    ...emojiPages(app),
    ...organizationPicturePages(app),
    ...uploadPages(app),
    ...referencePages(app),
  ]
  return buildHttpServer(
    {
      app,
      authenticate,
      idempotentResponses,
      limiter,
      pollLimiter,
      openRequests,
      admitDelivery,
      isCutOff,
      checked,
    },
    bind(listEndpoints(), routes),
    pages,
    { stallMs },
  )
}
