import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { json } from '../kernel/params.ts'
import { maxCharacters } from '../kernel/schemas.ts'
import { alertWords, maxAlertWordLength, maxAlertWords } from './shape.ts'

const path = '/api/v1/users/me/alert_words'
const response = {
  alert_words: alertWords,
}

export const list = endpoint({
  summary: 'List the alert words of the account.',
  method: 'GET',
  path,
  auth: 'user',
  params: {},
  response,
  errors: [],
})

export const add = endpoint({
  summary: 'Add alert words.',
  description: `New messages that contain one of the words get the flag \`has_alert_word\`. Case does not matter. An account has at most ${maxAlertWords} words.`,
  method: 'POST',
  path,
  auth: 'user',
  params: {
    alert_words: json(
      z.array(maxCharacters(maxAlertWordLength)),
      `The words to add, of up to ${maxAlertWordLength} characters each. An account may have ${maxAlertWords} of them.`,
    ),
  },
  response,
  errors: ['TOO_MANY_ALERT_WORDS'],
})

export const remove = endpoint({
  summary: 'Remove alert words.',
  method: 'DELETE',
  path,
  auth: 'user',
  params: { alert_words: json(z.array(z.string()), 'The words to remove.') },
  response,
  errors: [],
})
