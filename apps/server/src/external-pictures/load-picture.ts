import { createHash } from 'node:crypto'
import { ApiError, type OrganizationId } from '@oxbow/contract'
import type { App } from '../platform/app.ts'
import { BoundedCache } from '../platform/bounded-cache.ts'
import { refuseAboveLimit } from '../platform/http/count-request.ts'
import { RateLimiter } from '../platform/http/request-limits.ts'
import { makeThumbnails, NotAnImage } from '../platform/images/make-picture.ts'
import { fetchOutward } from '../platform/outward/fetch-outward.ts'
import { KeyedSemaphore } from '../platform/outward/keyed-semaphore.ts'
import { OutwardRefusal } from '../platform/outward/outward-refusal.ts'
import { perNode } from '../platform/per-node.ts'
import { Semaphore } from '../platform/semaphore.ts'
import { type CachedPicture, PictureCache } from './picture-cache.ts'

const maxAgeMs = 86_400_000
/** A picture that could not be shown is tried again after this long. */
const retryAfterMs = 300_000
const maxFailures = 10_000
/** Pictures are held in memory from the fetch until they are drawn, so few are at the same time. */
const maxLoading = 16
const maxLoadingPerOrganization = 8
const maxWaitingPerOrganization = 500

const limits = {
  // Decoders for these formats exist; AVIF and SVG would be refused.
  accept: 'image/webp,image/png,image/jpeg,image/gif;q=0.9',
  maxBytes: 8 * 1_048_576,
  timeoutMs: 10_000,
}

const loading = perNode({
  name: 'external_pictures',
  create: ({ config }) => ({
    cache: new PictureCache({ maxBytes: config.image_proxy_cache_mib * 1_048_576, maxAgeMs }),
    /** Times, by key, until which a picture that failed is not tried again. */
    failures: new BoundedCache<string, number>(maxFailures),
    /** Loads that wait or run, by key: all readers wait for the same one. */
    pending: new Map<string, Promise<CachedPicture>>(),
    // A page of messages may show many new pictures at once.
    limiter: new RateLimiter(config.rate_limit_per_minute * 5),
    organizations: new KeyedSemaphore({
      maxConcurrent: maxLoadingPerOrganization,
      maxWaiting: maxWaitingPerOrganization,
    }),
    all: new Semaphore({ maxConcurrent: maxLoading }),
    /** One at a time, so that uploads wait for one of these pictures at most. */
    drawing: new Semaphore({ maxConcurrent: 1 }),
  }),
  countEntries: ({ cache }) => cache.size,
})

/**
 * Returns a picture of another host, re-encoded, from the cache or from its host. Throws
 * `UPLOAD_NOT_FOUND` if there is no such picture, without the reason, which would reveal the
 * network of this node; and `RATE_LIMIT_HIT` if too many are loading.
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
  const load = loadInTurn(app, organization_id, url)
    .then((picture) => {
      cache.set(key, picture)
      return picture
    })
    .catch((error: unknown) => {
      if (isLasting(error)) failures.set(key, Date.now() + retryAfterMs)
      const { reason } = error as Partial<OutwardRefusal | NotAnImage>
      // Neither the URL nor a message that may contain it: both are texts of users.
      app.log.debug({ organization_id, reason }, 'a picture of another host cannot be shown')
      throw toApiError(error)
    })
    .finally(() => pending.delete(key))
  pending.set(key, load)
  return load
}

/**
 * Organizations share nothing: whether a picture is cached would tell one what another reads. A URL
 * may have thousands of characters, so its digest is kept.
 */
function keyOf(organization_id: OrganizationId, url: string): string {
  return createHash('sha256').update(`${organization_id} ${url}`).digest('base64url')
}

function loadInTurn(app: App, organization_id: OrganizationId, url: string): Promise<CachedPicture> {
  const { organizations, all, drawing } = loading(app)
  return organizations.run(String(organization_id), () =>
    all.run(async () => {
      const { status, body } = await fetchOutward(app.outward, url, limits)
      if (status !== 200) throw new NotAnImage('unreadable')
      const { still, moving = still } = await drawing.run(() => makeThumbnails(body))
      const etag = createHash('sha256').update(moving).digest('hex').slice(0, 32)
      return { bytes: moving, etag }
    }),
  )
}

/** A host that is busy, and a node that is busy or stops, may succeed at once. */
function isLasting(error: unknown): boolean {
  if (error instanceof OutwardRefusal) return error.reason !== 'busy' && error.reason !== 'aborted'
  return error instanceof NotAnImage
}

function toApiError(error: unknown): unknown {
  if (error instanceof NotAnImage || isLasting(error)) return new ApiError('UPLOAD_NOT_FOUND')
  return error instanceof OutwardRefusal ? new ApiError('RATE_LIMIT_HIT', { 'retry-after': 5 }) : error
}

/** Returns the size of this node's cache in bytes, for tests. */
export const cachedPictureBytes = (app: App): number => loading(app).cache.bytes
