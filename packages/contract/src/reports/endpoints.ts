import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { integer, json, text } from '../kernel/params.ts'
import { dictionary } from '../kernel/schemas.ts'

const untilCore = 'Milliseconds until the view was visible.'
const untilFree = 'Milliseconds until the client was idle.'

const milliseconds = (about: string) => integer(z.int(), about)
const laterTime = (about: string) => text(z.string().default('(unknown)'), about)

export const reportError = endpoint({
  summary: 'Report an error of a client to the operator of the server.',
  description:
    'The report is truncated and written to the log, without `log` and `more_info`. If too many reports arrive, further ones are only counted.',
  method: 'POST',
  path: '/api/v1/report/error',
  auth: 'nobody',
  params: {
    message: text(z.string(), 'The text of the error.', { allowsNul: true }),
    stacktrace: text(z.string(), 'The stack trace of the error in the client.', { allowsNul: true }),
    ui_message: json(z.boolean(), 'Whether the user saw the error.'),
    user_agent: text(z.string(), 'The program and its version.', { allowsNul: true }),
    href: text(z.string(), 'The page that the client showed. Only its path is written to the log.', {
      allowsNul: true,
    }),
    log: text(z.string(), 'The last lines of the log of the client. Not stored.', { allowsNul: true }),
    more_info: json(dictionary().nullable().default(null), 'Further information. Not stored.', {
      allowsNul: true,
    }),
  },
  response: {},
  errors: [],
})

export const sendTimes = endpoint({
  summary: 'Report how long it took to send a message.',
  method: 'POST',
  path: '/api/v1/report/send_times',
  auth: 'user',
  params: {
    time: milliseconds('Milliseconds until the server responded.'),
    received: laterTime('Milliseconds until the event arrived.'),
    displayed: laterTime('Milliseconds until the message was visible.'),
    locally_echoed: json(
      z.boolean().default(false),
      'Whether the client showed the message before the server responded.',
    ),
    rendered_content_disparity: json(
      z.boolean().default(false),
      'Whether the client had rendered the message differently.',
    ),
  },
  response: {},
  errors: [],
})

export const narrowTimes = endpoint({
  summary: 'Report how long it took to show a narrow.',
  method: 'POST',
  path: '/api/v1/report/narrow_times',
  auth: 'user',
  params: {
    initial_core: milliseconds(untilCore),
    initial_free: milliseconds(untilFree),
    network: milliseconds('Milliseconds until the server had sent the messages.'),
  },
  response: {},
  errors: [],
})

export const unnarrowTimes = endpoint({
  summary: 'Report how long it took to leave a narrow.',
  method: 'POST',
  path: '/api/v1/report/unnarrow_times',
  auth: 'user',
  params: { initial_core: milliseconds(untilCore), initial_free: milliseconds(untilFree) },
  response: {},
  errors: [],
})
