import type { EventShape } from '../../events/event-shape.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { SealOwner } from '../../platform/seal.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { BotSecrets } from './views.ts'

/** Keys and tokens as the log may keep them: it is no better guarded than any other table. */
interface Sealed {
  sealed: string
}

export function sealSecrets(
  { secrets }: { secrets: Secrets },
  { id }: Pick<UserRow, 'id'>,
  known: Partial<BotSecrets>,
): Sealed {
  return { sealed: secrets.seal(JSON.stringify(known), ownerOfRecord(id)).toString('base64') }
}

/** Ids of accounts are unique among all organizations, and a record does not name its own. */
export const ownerOfRecord = (user_id: number): SealOwner => ['bot event', user_id]

export type SealedBot = { user_id: number } & Partial<Sealed>

/** Opens what is sealed as it is delivered. One record may tell of many bots. */
export function botEventShape(secrets: Secrets): EventShape {
  return {
    type: 'realm_bot',
    variant: () => '',
    render(event) {
      const { bot, bots = [bot], ...about } = event
      return (bots as SealedBot[]).map((each) => ({ ...about, bot: open(each) }))
    },
  }

  function open({ sealed, ...bot }: SealedBot): object {
    if (sealed === undefined) return bot
    return { ...bot, ...JSON.parse(secrets.open(Buffer.from(sealed, 'base64'), ownerOfRecord(bot.user_id))) }
  }
}
