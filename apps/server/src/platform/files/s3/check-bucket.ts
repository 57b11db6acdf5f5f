import { randomUUID } from 'node:crypto'
import { SetupError } from '../../operator-error.ts'
import { StorageUnavailable } from '../storage-refusal.ts'
import { S3Client, S3Refusal } from './s3-client.ts'
import type { S3Settings } from './s3-settings.ts'
import { beginUpload } from './s3-upload.ts'

/** Prefix of test objects' keys. No file has a key that begins with a dot. */
export const probePrefix = '.probe-'

/** Returns whether a node may have written the object, to check the bucket. */
export const isProbeKey = (key: string): boolean =>
  key.startsWith(probePrefix) && /^[\da-f-]{36}$/.test(key.slice(probePrefix.length))

/**
 * Writes, reads, lists and removes an object, and begins and aborts an upload in parts. Throws a `SetupError`
 * if the settings must be changed. Returns advice if the object store cannot be reached or does not work at
 * the moment.
 */
export async function checkBucket(settings: S3Settings): Promise<string | undefined> {
  try {
    await tryBucket(settings)
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    const { text, isTemporary } = explain(error, settings)
    if (!isTemporary) throw new SetupError(text)
    return text
  }
}

async function tryBucket(settings: S3Settings): Promise<void> {
  const client = new S3Client(settings, { maxAttempts: 2 })
  const key = `${probePrefix}${randomUUID()}`
  await client.call({ method: 'PUT', key, body: Buffer.from('written at start') })
  try {
    await client.call({ method: 'GET', key })
    await client.call({
      method: 'GET',
      query: { 'list-type': '2', 'max-keys': '1', prefix: settings.prefix },
    })
    const upload = await beginUpload(client, key)
    await upload.abort()
    await client.call({
      method: 'GET',
      query: { uploads: '', 'max-uploads': '1', prefix: settings.prefix },
    })
  } finally {
    await client.call({ method: 'DELETE', key, expected: [404] })
  }
}

interface Explanation {
  text: string
  /** Whether the problem may pass without a change of the settings. */
  isTemporary: boolean
}

function explain(error: StorageUnavailable, settings: S3Settings): Explanation {
  if (error instanceof S3Refusal) return explainRefusal(error, settings)
  const { code, message } = (error.cause ?? {}) as NodeJS.ErrnoException
  // The message of EPROTO contains names of OpenSSL source files, which do not help an operator.
  const why = code === 'EPROTO' ? 'it does not answer with TLS' : (message ?? error.reason)
  const problem = `The object store at ${settings.endpoint} cannot be reached: ${why}.`
  const isCertificate = /CERT|SELF_SIGNED|ERR_TLS|EPROTO|ERR_SSL/.test(code ?? '')
  if (isCertificate)
    return {
      text: `${problem}\nCheck OXBOW_S3_ENDPOINT (http or https?). For a certificate of your own authority, name its file in NODE_EXTRA_CA_CERTS.`,
      isTemporary: false,
    }
  return {
    text: `${problem}\nCheck OXBOW_S3_ENDPOINT, and that the object store is running.`,
    // The host name of a container that is not running cannot be resolved, so even an unknown name may be
    // temporary.
    isTemporary: true,
  }
}

function explainRefusal({ status, code }: S3Refusal, settings: S3Settings): Explanation {
  const { bucket, endpoint, region, accessKey } = settings
  const failure = `${code ?? ''} (status ${status})`.trim()
  const permanent = (text: string): Explanation => ({ text, isTemporary: false })
  if (code === 'NoSuchBucket' || status === 404)
    return permanent(
      `The object store at ${endpoint} has no bucket ${bucket}.\nCreate it, or name another one with OXBOW_S3_BUCKET. If the bucket exists, check OXBOW_S3_ENDPOINT and OXBOW_S3_PATH_STYLE.`,
    )
  if (code === 'InvalidAccessKeyId' || code === 'SignatureDoesNotMatch')
    return permanent(
      `The object store at ${endpoint} does not accept the key ${accessKey}: ${code}.\nCheck OXBOW_S3_ACCESS_KEY and OXBOW_S3_SECRET_KEY.`,
    )
  if (code === 'RequestTimeTooSkewed')
    return permanent(
      `The clock of this machine differs from the one of the object store at ${endpoint}: ${code}.\nSet the clock, best with a time service.`,
    )
  if (code === 'AuthorizationHeaderMalformed' || code === 'PermanentRedirect' || status === 301)
    return permanent(
      `The bucket ${bucket} is not in the region ${region}: ${failure}.\nSet OXBOW_S3_REGION, and OXBOW_S3_ENDPOINT if it names a region.`,
    )
  if (status === 401 || status === 403)
    return permanent(
      `The key ${accessKey} may not read, write, list and delete in the bucket ${bucket}: ${failure}.\nGive it these rights, or use another key (OXBOW_S3_ACCESS_KEY, OXBOW_S3_SECRET_KEY).`,
    )
  if (status >= 500 || status === 429)
    return {
      text: `The object store at ${endpoint} does not work at the moment: ${failure}.`,
      isTemporary: true,
    }
  return permanent(
    `The object store at ${endpoint} refuses requests for the bucket ${bucket}: ${failure}.\nCheck the settings OXBOW_S3_….`,
  )
}
