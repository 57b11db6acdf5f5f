import type { ApiError } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../html.ts'
import { renderPage } from '../page-layout.ts'
import { prefersHtml } from './accepts.ts'
import { secretPageHeaders } from './secret-page-headers.ts'

/** Paths for programs, which get JSON whatever their `Accept` header says. */
const forPrograms = /^\/(api|json)(\/|\?|$)/

export function wantsPage({ raw: { url = '' }, headers }: FastifyRequest): boolean {
  return !forPrograms.test(url) && prefersHtml(headers.accept)
}

const titles: Partial<Record<number, string>> = {
  404: 'There is nothing here',
  405: 'This does not work here',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'The server cannot answer now',
}

const texts: Partial<Record<number, string>> = {
  404: 'The address may be mistyped, or the link may be old.',
  500: 'This is an error of the server. Its operator finds the reason in the log.',
  503: 'Try again in a few seconds.',
}

/** Sends an error as a page to a browser, with the status and headers of the JSON response. */
export function sendErrorPage(error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status } = error
  const content = html`<p>${texts[status] ?? error.message}</p>
    ${status === 500 && html`<p>The request is <code>${request.id}</code>.</p>`}
    <p><a href="/">Go to the start page</a></p>`
  return reply
    .headers({ ...secretPageHeaders, vary: 'accept' })
    .type('text/html')
    .send(renderPage(titles[status] ?? 'This did not work', content))
}
