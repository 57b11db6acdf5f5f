import type { App } from '../platform/app.ts'
import { type Html, html } from '../platform/html.ts'
import { resolveRequest } from '../platform/http/host.ts'
import type { Page } from '../platform/http/http-server.ts'
import { secretPageHeaders } from '../platform/http/secret-page-headers.ts'
import { confirmEmailChange } from './confirm-email.ts'

/**
 * Serves the link of an e-mail change. Opening it changes nothing, because mail scanners open
 * links; a button confirms.
 */
export function confirmEmailPages(app: App): Page[] {
  const path = '/accounts/confirm_new_email/:key'
  const question = html`<form method="post"><p>Use this e-mail address for your account?</p>
    <button>Yes, this is my address</button></form>`
  return [
    {
      path,
      name: 'confirm_new_email',
      handle: async (_request, reply) =>
        reply.headers(secretPageHeaders).type('text/html').send(page(question)),
    },
    {
      path,
      method: 'POST',
      name: 'confirm_new_email',
      handle: async (request, reply) => {
        const { key } = request.params as { key: string }
        const { subdomain } = resolveRequest(app.config, request)
        const email = await confirmEmailChange(app, { key, subdomain })
        const result = email
          ? html`<p>From now on your address is <b>${email}</b>.</p>`
          : html`<p>This link was used already, was replaced or is more than a day old. You can ask for a new one.</p>`
        return reply
          .code(email ? 200 : 404)
          .headers(secretPageHeaders)
          .type('text/html')
          .send(page(result))
      },
    },
  ]
}

function page(content: Html): string {
  return html`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>Your e-mail address</title>
    <style>body { font: 17px/1.5 system-ui, sans-serif; max-width: 30em; margin: 20vh auto; padding: 0 1em }
    button { font: inherit; padding: .4em 1em }</style>${content}</html>`.text
}
