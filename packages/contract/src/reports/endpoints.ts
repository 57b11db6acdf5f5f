import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { integer, json, text } from '../kernel/params.ts'
import { dictionary } from '../kernel/schemas.ts'

const milliseconds = integer(z.int())
const laterTime = text(z.string().default('(unknown)'))

export const reportError = endpoint({
  summary: 'Report an error of a client to the operator of the server.',
  description:
    'The report is truncated and written to the log, without `log` and `more_info`. If too many reports arrive, further ones are only counted.',
  method: 'POST',
  path: '/api/v1/report/error',
  auth: 'nobody',
  params: {
    message: text(z.string(), { allowsNul: true }),
    stacktrace: text(z.string(), { allowsNul: true }),
    ui_message: json(z.boolean()),
    user_agent: text(z.string(), { allowsNul: true }),
    href: text(z.string(), { allowsNul: true }),
    log: text(z.string(), { allowsNul: true }),
    more_info: json(dictionary().nullable().default(null), { allowsNul: true }),
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
    time: milliseconds,
    received: laterTime,
    displayed: laterTime,
    locally_echoed: json(z.boolean().default(false)),
    rendered_content_disparity: json(z.boolean().default(false)),
  },
  response: {},
  errors: [],
})

export const narrowTimes = endpoint({
  summary: 'Report how long it took to show a narrow.',
  method: 'POST',
  path: '/api/v1/report/narrow_times',
  auth: 'user',
  params: { initial_core: milliseconds, initial_free: milliseconds, network: milliseconds },
  response: {},
  errors: [],
})

export const unnarrowTimes = endpoint({
  summary: 'Report how long it took to leave a narrow.',
  method: 'POST',
  path: '/api/v1/report/unnarrow_times',
  auth: 'user',
  params: { initial_core: milliseconds, initial_free: milliseconds },
  response: {},
  errors: [],
})
