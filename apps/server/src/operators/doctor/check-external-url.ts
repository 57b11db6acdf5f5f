import type { ReceivedRequest } from '../../platform/doctor/request-page.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { evaluateRequest } from './evaluate-request.ts'
import { type Outcome, ok, problem, warning } from './finding.ts'
import { type Answer, requestDoctorPage } from './request-doctor-page.ts'

const minCertificateDays = 14

export interface ExternalUrlOutcomes {
  url: Outcome
  /** The result of checking the headers that proxies forward; undefined if no node answered. */
  proxy?: Outcome
}

/** Requests the page `/doctor` of a node at the external URL, as a client would. */
export async function checkExternalUrl(
  externalUrl: string,
  secrets: Secrets,
  /** The id of the event log of this database. */
  logId: string | undefined,
): Promise<ExternalUrlOutcomes> {
  const answer = await requestDoctorPage(externalUrl, secrets).catch((error: NodeJS.ErrnoException) => error)
  if (answer instanceof Error) return { url: explainFailure(externalUrl, answer) }
  const received = answer.status === 200 ? readReceived(answer.body) : undefined
  if (!received) return { url: explainAnswer(externalUrl, answer) }
  if (received.logId && logId && received.logId !== logId) return { url: explainOtherDatabase(externalUrl) }
  return { url: judgeCertificate(externalUrl, answer), proxy: evaluateRequest(externalUrl, received) }
}

function readReceived(body: string): ReceivedRequest | undefined {
  try {
    const received = JSON.parse(body)
    return typeof received?.isTrusted === 'boolean' ? received : undefined
  } catch {
    return undefined
  }
}

function judgeCertificate(externalUrl: string, { certificateDays }: Answer): Outcome {
  if (certificateDays !== undefined && certificateDays < minCertificateDays)
    return warning(
      `The certificate of ${externalUrl} expires in ${Math.floor(certificateDays)} days.`,
      'Renew it, and check why it was not renewed by itself.',
    )
  return ok(`${externalUrl} leads to this server.`)
}

const explainOtherDatabase = (externalUrl: string): Outcome =>
  problem(
    `${externalUrl} leads to a node with the same secret and another database, such as the original of a restored copy.`,
    'Let the DNS name or the proxy lead to this server, or set another OXBOW_EXTERNAL_URL for this copy.',
  )

function explainAnswer(externalUrl: string, { status, location }: Answer): Outcome {
  if (status >= 300 && status < 400 && location)
    return problem(
      `${externalUrl} redirects to ${new URL(location, externalUrl).origin}, and programs lose their credentials on the way.`,
      'Set OXBOW_EXTERNAL_URL to the address that people end up at, or remove the redirect.',
    )
  if (status === 502 || status === 503 || status === 504)
    return problem(
      `At ${externalUrl} a proxy answers with status ${status}: it does not reach a node.`,
      'Compare the address in its configuration with OXBOW_HOST and OXBOW_PORT of the node.',
    )
  return problem(
    `${externalUrl} does not lead to this server: status ${status}.`,
    'Correct OXBOW_EXTERNAL_URL, the DNS name or the proxy. All nodes must run this version and have the same secret.',
  )
}

function explainFailure(externalUrl: string, { code = '', name, message }: NodeJS.ErrnoException): Outcome {
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/.test(code))
    return problem(
      `The certificate of ${externalUrl} is not accepted: ${message}.`,
      'Install a certificate for this name with its whole chain. For an authority of your own, name its file in NODE_EXTRA_CA_CERTS.',
    )
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return problem(
      `The name ${new URL(externalUrl).hostname} cannot be resolved.`,
      'Correct OXBOW_EXTERNAL_URL, or add the name to the DNS.',
    )
  const reason =
    name === 'TimeoutError' || name === 'AbortError' ? 'no answer within ten seconds' : message || code
  return problem(
    `${externalUrl} cannot be reached from here: ${reason}.`,
    'Is the proxy running, and does the firewall let this machine connect to it?',
  )
}
