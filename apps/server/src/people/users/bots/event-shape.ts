import type { EventShape } from '../../../events/event-shape.ts'
import type { UserRow } from '../../../platform/database/tables.ts'
import type { SealBinding } from '../../../platform/secrets/seal.ts'
import type { Secrets } from '../../../platform/secrets/secrets.ts'
import type { BotSecrets } from './views.ts'

/** Keys and tokens in records of the log, encrypted as in tables. */
interface Sealed {
  sealed: string
}

export function sealSecrets(
  { secrets }: { secrets: Secrets },
  { id }: Pick<UserRow, 'id'>,
  knownSecrets: Partial<BotSecrets>,
): Sealed {
  return { sealed: secrets.seal(JSON.stringify(knownSecrets), sealBindingOfRecord(id)).toString('base64') }
}

/**
 * Returns the seal binding of secrets in a record. It does not include the organization, because the
 * body of a record does not contain it and account ids are unique on the server.
 */
export const sealBindingOfRecord = (user_id: number): SealBinding => ['bot event', user_id]

export type SealedBot = { user_id: number } & Partial<Sealed>

/**
 * Renders `realm_bot` events and decrypts their secrets. One record may describe many bots and
 * becomes one event for each.
 */
export function botEventShape(secrets: Secrets): EventShape {
  return {
    type: 'realm_bot',
    variant: () => '',
    render(event) {
      const { bot, bots = [bot], ...about } = event
      return (bots as SealedBot[]).map((sealedBot) => ({ ...about, bot: open(sealedBot) }))
    },
  }

  function open({ sealed, ...bot }: SealedBot): object {
    if (sealed === undefined) return bot
    return {
      ...bot,
      ...JSON.parse(secrets.open(Buffer.from(sealed, 'base64'), sealBindingOfRecord(bot.user_id))),
    }
  }
}
