// Loaded by openapi.ts alone, so that clients which import the contract do not carry these texts.
import './bots.ts'
import './events.ts'
import './messages.ts'
import './organization.ts'
import './presence.ts'
import './server.ts'
import './settings.ts'
import './streams.ts'
import './users.ts'
import './webhooks.ts'

export { type EndpointTexts, findEndpointTexts, findFieldTexts } from './describe.ts'
