import type { OrganizationId } from '@oxbow/contract'
import { rewritePictures } from '@oxbow/markdown'
import type { App } from '../../platform/app.ts'
import { signPicture } from './picture-paths.ts'

type Proxy = Pick<App, 'config' | 'secrets'>

/**
 * Returns the HTML of a message with pictures of other hosts loaded through this server, so that
 * those hosts do not learn who reads the message. Returns HTML unchanged if it has no such pictures
 * or its paths are already signed.
 */
export function proxyPictures(
  { config, secrets }: Proxy,
  organization_id: OrganizationId,
  html: string,
): string {
  if (!config.image_proxy) return html
  return rewritePictures(html, (url) => signPicture(secrets, organization_id, url))
}

/** Stored HTML columns. */
interface StoredHtml {
  rendered_content?: string
  prev_rendered_content?: string | null
}

/**
 * Returns a stored row with pictures of other hosts loaded through this server. HTML usually has
 * signed paths when it is stored. It has none if a node of the previous release stored it, or if
 * the proxy was switched off at that time.
 */
export function proxyStoredPictures<Row extends StoredHtml>(
  app: Proxy,
  organization_id: OrganizationId,
  row: Row,
): Row {
  const { rendered_content = '', prev_rendered_content } = row
  const html = proxyPictures(app, organization_id, rendered_content)
  const before = prev_rendered_content && proxyPictures(app, organization_id, prev_rendered_content)
  if (html === rendered_content && before === prev_rendered_content) return row
  return {
    ...row,
    ...(row.rendered_content !== undefined && { rendered_content: html }),
    ...(prev_rendered_content !== undefined && { prev_rendered_content: before }),
  }
}
