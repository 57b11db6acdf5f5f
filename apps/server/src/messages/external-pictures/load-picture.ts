import { createHash } from 'node:crypto'
import { ApiError, type OrganizationId } from '@oxbow/contract'
import type { App } from '../../platform/app.ts'
import { BoundedCache } from '../../platform/bounded-cache.ts'
import { refuseAboveLimit } from '../../platform/http/request-limits.ts'
import { makeRateLimiter } from '../../platform/http/share-counts.ts'
import { makeThumbnails, NotAnImage } from '../../platform/images/make-picture.ts'
import { fetchOutbound } from '../../platform/outbound/fetch-outbound.ts'
import { KeyedSemaphore } from '../../platform/outbound/keyed-semaphore.ts'
import { OutboundRefusal } from '../../platform/outbound/outbound-refusal.ts'
import { perNode } from '../../platform/per-node.ts'
import { Semaphore } from '../../platform/semaphore.ts'
import { type CachedPicture, PictureCache } from './picture-cache.ts'

const maxAgeMs = 86_400_000
/** Time after which a picture that failed to load is fetched again. */
const retryAfterMs = 300_000
const maxFailures = 10_000
/**
 * Maximum number of pictures that a node loads at a time. Each of them is in memory from the fetch
 * until it is re-encoded.
 */
const maxLoading = 16
const maxLoadingPerOrganization = 8
const maxWaitingPerOrganization = 500

const limits = {
  // The formats that the server can decode. AVIF and SVG would be refused.
  accept: 'image/webp,image/png,image/jpeg,image/gif;q=0.9',
  maxBytes: 8 * 1_048_576,
  timeoutMs: 10_000,
}

const loading = perNode({
  name: 'external_pictures',
  create: (app) => ({
    cache: new PictureCache({ maxBytes: app.config.image_proxy_cache_mib * 1_048_576, maxAgeMs }),
    /**
     * For each picture that failed to load, by its key, the time until which it is not fetched
     * again.
     */
    failures: new BoundedCache<string, number>(maxFailures),
    /** Waiting and running loads by key. Concurrent requests for a picture share one load. */
    pending: new Map<string, Promise<CachedPicture>>(),
    // A page of messages may show many new pictures at once.
    limiter: makeRateLimiter(app, 'external pictures of accounts', app.config.rate_limit_per_minute * 5),
    organizations: new KeyedSemaphore({
      maxConcurrent: maxLoadingPerOrganization,
      maxWaiting: maxWaitingPerOrganization,
    }),
    all: new Semaphore({ maxConcurrent: maxLoading }),
    /** One picture is re-encoded at a time, so that an upload waits for at most one of them. */
    drawing: new Semaphore({ maxConcurrent: 1 }),
  }),
  countEntries: ({ cache }) => cache.size,
})

/**
 * Returns a re-encoded picture of another host, from the cache or from its host. Throws
 * `UPLOAD_NOT_FOUND` if the picture cannot be shown. The error contains no reason, because a reason
 * could reveal details of this node's network. Throws `RATE_LIMIT_HIT` if too many pictures are
 * loading.
 */
export async function loadPicture(
  app: App,
  organization_id: OrganizationId,
  url: string,
): Promise<CachedPicture> {
  const { cache, failures, pending, limiter } = loading(app)
  const key = keyOf(organization_id, url)
  const cached = cache.get(key) ?? pending.get(key)
  if (cached) return cached
  if ((failures.get(key) ?? 0) > Date.now()) throw new ApiError('UPLOAD_NOT_FOUND')
  refuseAboveLimit(app, limiter.count(organization_id))
  const load = loadWhenAllowed(app, organization_id, url)
    .then((picture) => {
      cache.set(key, picture)
      return picture
    })
    .catch((error: unknown) => {
      if (isPermanent(error)) failures.set(key, Date.now() + retryAfterMs)
      const { reason } = error as Partial<OutboundRefusal | NotAnImage>
      // The URL is not logged, and neither is the error's message, which may contain it: users
      // wrote the URL.
      app.log.debug({ organization_id, reason }, 'a picture of another host cannot be shown')
      throw toApiError(error)
    })
    .finally(() => pending.delete(key))
  pending.set(key, load)
  return load
}

/**
 * Returns the cache key of a picture. It includes the organization, because a shared cache would
 * reveal which pictures another organization reads. It is a digest, because a URL may have
 * thousands of characters.
 */
function keyOf(organization_id: OrganizationId, url: string): string {
  return createHash('sha256').update(`${organization_id} ${url}`).digest('base64url')
}

function loadWhenAllowed(app: App, organization_id: OrganizationId, url: string): Promise<CachedPicture> {
  const { organizations, all, drawing } = loading(app)
  return organizations.run(String(organization_id), () =>
    all.run(async () => {
      const { status, body } = await fetchOutbound(app.outbound, url, limits)
      if (status !== 200) throw new NotAnImage('unreadable')
      const { still, moving = still } = await drawing.run(() => makeThumbnails(body))
      const etag = createHash('sha256').update(moving).digest('hex').slice(0, 32)
      return { bytes: moving, etag }
    }),
  )
}

/**
 * Returns whether a retry would probably fail too. A retry may succeed if the host or the node is
 * busy, or if the node is stopping.
 */
function isPermanent(error: unknown): boolean {
  if (error instanceof OutboundRefusal) return error.reason !== 'busy' && error.reason !== 'aborted'
  return error instanceof NotAnImage
}

function toApiError(error: unknown): unknown {
  if (error instanceof NotAnImage || isPermanent(error)) return new ApiError('UPLOAD_NOT_FOUND')
  return error instanceof OutboundRefusal ? new ApiError('RATE_LIMIT_HIT', { 'retry-after': 5 }) : error
}

/** Returns the size of this node's cache in bytes, for tests. */
export const cachedPictureBytes = (app: App): number => loading(app).cache.bytes
