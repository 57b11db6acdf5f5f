import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { json } from '../kernel/params.ts'
import { maxCharacters } from '../kernel/schemas.ts'
import { alertWords, maxAlertWord, mostAlertWords } from '../shapes/alert-words.ts'

const path = '/api/v1/users/me/alert_words'
const response = { alert_words: alertWords }

export const list = endpoint({
  summary: 'The words that the own account wants to be alerted by.',
  method: 'GET',
  path,
  auth: 'user',
  params: {},
  response,
  errors: [],
})

export const add = endpoint({
  summary: 'Be alerted by more words.',
  description: `Messages that hold one of them get the flag \`has_alert_word\`. Small and capital letters are alike. At most ${mostAlertWords}.`,
  method: 'POST',
  path,
  auth: 'user',
  params: { alert_words: json(z.array(maxCharacters(maxAlertWord))) },
  response,
  errors: ['TOO_MANY_ALERT_WORDS'],
})

export const remove = endpoint({
  summary: 'No longer be alerted by these words.',
  method: 'DELETE',
  path,
  auth: 'user',
  params: { alert_words: json(z.array(z.string())) },
  response,
  errors: [],
})
