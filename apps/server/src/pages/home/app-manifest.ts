import { ApiError } from '@oxbow/contract'
import { findOrganization } from '../../organization/queries.ts'
import type { App } from '../../platform/app.ts'
import { resolveRequest } from '../../platform/http/host.ts'
import type { Page } from '../../platform/http/http-server.ts'

/** Maximum length of the name below an icon on a phone's home screen, as browsers recommend. */
const maxShortName = 12

/**
 * Describes the web client to browsers, so that they can install it as an app with the
 * organization's name.
 */
export const appManifest = (app: App): Page => ({
  path: '/app.webmanifest',
  name: 'home',
  anonymousLimit: 'without account',
  async handle(request, reply) {
    const { subdomain } = resolveRequest(app.config, request)
    const organization = subdomain === null ? undefined : await findOrganization(app.db, subdomain)
    if (!organization || organization.deactivated_at) throw new ApiError('NOT_FOUND')
    const { name } = organization
    return reply
      .type('application/manifest+json')
      .header('cache-control', 'no-cache')
      .send({
        id: '/',
        name,
        short_name: name.length > maxShortName ? 'Oxbow' : name,
        start_url: '/',
        scope: '/',
        display: 'standalone',
        theme_color: '#0b655d',
        background_color: '#ffffff',
        icons: ['any', 'maskable'].flatMap((purpose) =>
          [192, 512].map((size) => ({
            src: `/icon-${size}.png`,
            sizes: `${size}x${size}`,
            type: 'image/png',
            purpose,
          })),
        ),
      })
  },
})
