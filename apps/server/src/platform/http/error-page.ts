import type { ApiError } from '@oxbow/contract'
import type { Translate } from '@oxbow/texts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html } from '../html.ts'
import { sendPage } from '../pages/send-page.ts'
import { asCode, describeWait, rich, textsFor } from '../pages/texts.ts'
import { prefersHtml } from './accepts.ts'
import { readQuery } from './request-input.ts'

/** Paths for programs, which always get JSON, regardless of their `Accept` header. */
const forPrograms = /^\/(api|json)(\/|\?|$)/

export function wantsPage({ raw: { url = '' }, headers }: FastifyRequest): boolean {
  return !forPrograms.test(url) && prefersHtml(headers.accept)
}

const titles = {
  401: 'error.401_title',
  404: 'error.404_title',
  405: 'error.405_title',
  429: 'error.429_title',
  500: 'error.500_title',
  503: 'error.503_title',
} as const

/** Sends an error as a page to a browser, with the status and headers of the JSON response. */
export function sendErrorPage(error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status } = error
  const t = textsFor(request)
  const next =
    status === 401
      ? { url: `/login${returnQuery(request)}`, text: t('error.sign_in') }
      : { url: '/', text: t('error.start') }
  return sendPage(reply, {
    status,
    title: t(titles[status as keyof typeof titles] ?? 'error.other_title'),
    content: html`<p>${explain(t, error, request)}</p><p><a href="${next.url}">${next.text}</a></p>`,
  })
}

/** Returns the query that leads back to this page after signing in. Keys in URLs are left out. */
function returnQuery({ method, url, raw }: FastifyRequest): string {
  return method === 'GET' && !readQuery(raw).has('api_key') ? `?next=${encodeURIComponent(url)}` : ''
}

function explain(t: Translate, error: ApiError, { id }: FastifyRequest): string | Html {
  if (error.is('CROSS_ORIGIN')) return t('error.cross_origin')
  if (error.is('UPLOAD_NOT_FOUND')) return t('error.file_missing')
  if (error.is('UPLOAD_FORBIDDEN')) return t('error.file_forbidden')
  switch (error.status) {
    case 401:
      return t('error.401')
    case 404:
      return t('error.404')
    case 405:
      return t('error.405')
    case 429:
      return describeWait(t, Number(error.body['retry-after']))
    case 500:
      return rich(t, 'error.500', { request: id, code: asCode })
    case 503:
      return t('error.503')
    default:
      return error.message
  }
}
