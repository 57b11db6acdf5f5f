import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { makeRequestToken, tokenHeader } from '../../platform/doctor/request-token.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { forgedAddress } from './evaluate-request.ts'

const timeoutMs = 10_000

export interface Answer {
  status: number
  location: string | undefined
  body: string
  /** Days for which the certificate is still valid; undefined without TLS. */
  certificateDays: number | undefined
}

/**
 * Requests the page `/doctor` of a node at the external URL, as a client would. The node waits for `waitSeconds`
 * before it answers.
 */
export function requestDoctorPage(externalUrl: string, secrets: Secrets, waitSeconds = 0): Promise<Answer> {
  const url = new URL(waitSeconds > 0 ? `/doctor?wait=${waitSeconds}` : '/doctor', externalUrl)
  const signal = AbortSignal.timeout(timeoutMs + waitSeconds * 1_000)
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const headers = {
      'user-agent': 'oxbow-doctor',
      'x-forwarded-for': forgedAddress,
      [tokenHeader]: makeRequestToken(secrets),
    }
    const request = send(url, { headers, agent: false, signal }, (response) => {
      const { statusCode: status = 0, socket } = response
      const { location } = response.headers
      const validTo =
        'getPeerCertificate' in socket ? (socket as TLSSocket).getPeerCertificate().valid_to : ''
      const certificateDays = validTo ? (Date.parse(validTo) - Date.now()) / 86_400_000 : undefined
      text(response).then((body) => resolve({ status, location, body, certificateDays }), reject)
    })
    request.on('error', reject)
    request.end()
  })
}
