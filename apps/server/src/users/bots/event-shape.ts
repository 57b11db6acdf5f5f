import type { EventShape } from '../../events/event-shape.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { BotSecrets } from './views.ts'

/** Keys and tokens as the log may keep them: it is no better guarded than any other table. */
interface Sealed {
  sealed: string
}

export function sealSecrets({ secrets }: { secrets: Secrets }, known: Partial<BotSecrets>): Sealed {
  return { sealed: secrets.encrypt(JSON.stringify(known)).toString('base64') }
}

/** Opens what is sealed as it is delivered. One record may tell of many bots. */
export function botEventShape(secrets: Secrets): EventShape {
  return {
    type: 'realm_bot',
    variant: () => '',
    render(event) {
      const { bot, bots = [bot], ...about } = event
      return (bots as (object & Partial<Sealed>)[]).map((each) => ({ ...about, bot: open(each) }))
    },
  }

  function open({ sealed, ...bot }: Partial<Sealed>): object {
    if (sealed === undefined) return bot
    return { ...bot, ...JSON.parse(secrets.decrypt(Buffer.from(sealed, 'base64'))) }
  }
}
