import { ConfigError } from '../../config/load-config.ts'
import type { Config } from '../../config/settings.ts'

/** Address and credentials of a bucket. */
export interface S3Settings {
  /** URL of the bucket, without a trailing slash. */
  readonly bucketUrl: string
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
  /** Prefix of all object names: empty, or ends with a slash. */
  readonly prefix: string
}

/**
 * Returns the settings of the object store; undefined if files are stored in a directory. Throws a
 * `ConfigError` if only some of the needed settings are given.
 */
export function readS3Settings(config: Config): S3Settings | undefined {
  const { s3_bucket: bucket, s3_access_key, s3_secret_key, s3_region: region } = config
  const { s3_endpoint = `https://s3.${region}.amazonaws.com` } = config
  const settings = { s3_bucket: bucket, s3_access_key, s3_secret_key }
  const names = Object.keys(settings) as (keyof typeof settings)[]
  const missing = names.filter((name) => settings[name] === undefined)
  if (missing.length === names.length && config.s3_endpoint === undefined) return undefined
  if (bucket === undefined || s3_access_key === undefined || s3_secret_key === undefined)
    throw new ConfigError(
      missing.map(
        (name) =>
          `OXBOW_${name.toUpperCase()} is missing: an object store needs OXBOW_S3_BUCKET, OXBOW_S3_ACCESS_KEY and OXBOW_S3_SECRET_KEY. Unset all OXBOW_S3_… variables to keep files in a directory.`,
      ),
    )
  const endpoint = new URL(s3_endpoint)
  const { s3_path_style: isPathStyle = !/\.amazonaws\.com(\.cn)?$/.test(endpoint.hostname) } = config
  const path = endpoint.pathname.replace(/(?<!\/)\/+$/, '')
  return {
    bucketUrl: isPathStyle
      ? `${endpoint.origin}${path}/${bucket}`
      : `${endpoint.protocol}//${bucket}.${endpoint.host}${path}`,
    endpoint: s3_endpoint,
    bucket,
    region,
    accessKey: s3_access_key,
    secretKey: s3_secret_key,
    prefix: config.s3_prefix === '' ? '' : `${config.s3_prefix}/`,
  }
}
