import { ApiError, type api, type OrganizationId } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StateSlice } from '../../events/state-slice.ts'
import type { Feature } from '../../feature.ts'
import type { App } from '../../platform/app.ts'
import type { Routes } from '../../platform/http/bind.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { immutableCaching, sendFile } from '../../platform/http/send-file.ts'
import { deactivateEmoji, listEmoji, uploadEmoji } from './manage-emoji.ts'
import { emojiFileReferences, listCustomEmoji } from './queries.ts'
import { getEmojiPictureKey, viewCustomEmoji } from './views.ts'

const emojiRoutes: Routes<typeof api.emoji> = {
  list: listEmoji,
  upload: uploadEmoji,
  deactivate: deactivateEmoji,
}

const customEmojiState: StateSlice = {
  types: ['realm_emoji'],
  read: async ({ actor, db }) => ({
    realm_emoji: viewCustomEmoji(await listCustomEmoji(db, actor.organization_id)),
  }),
}

/** Custom emoji. */
export const emojiFeature = {
  routes: { emoji: emojiRoutes },
  pages: emojiPages,
  state: [customEmojiState],
  files: { required: [emojiFileReferences] },
  fileFolders: ['emoji'],
} satisfies Feature

/** Serves pictures of custom emoji without credentials, because clients embed them as images. */
function emojiPages(app: App): Page[] {
  return [
    {
      path: '/user_avatars/:organization_id/emoji/images/:file',
      name: 'emoji_pictures',
      anonymousLimit: 'never',
      handle: (request, reply) => sendPicture(app, request, reply),
    },
  ]
}

async function sendPicture(app: App, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { organization_id, file } = request.params as { organization_id: string; file: string }
  const [, id, type] = /^(\d{1,15})\.(png|gif|webp)$/.exec(file) ?? []
  if (!id || !/^\d{1,15}$/.test(organization_id)) throw new ApiError('NOT_FOUND')
  const key = getEmojiPictureKey({ organization_id: Number(organization_id) as OrganizationId, file })
  const picture = { key, type: `image/${type}`, etag: id, cacheControl: immutableCaching }
  if (!(await sendFile(app, picture, request, reply))) throw new ApiError('NOT_FOUND')
  return reply
}
