import { rewriteRecords } from '../../../events/log/rewrite-records.ts'
import type { App } from '../../../platform/app.ts'
import { openOrSkip } from '../../../platform/secrets/reseal.ts'
import { hasHeader } from '../../../platform/secrets/seal.ts'
import { type SealedBot, sealBindingOfRecord } from './event-shape.ts'

/**
 * Rewrites the seals in records about bots that were made with an old secret. Returns the number of
 * rewritten records.
 */
export function resealRecords({ db, secrets }: App): Promise<number> {
  return rewriteRecords(db, '"sealed":"', (json) => {
    const event = JSON.parse(json)
    if (event.type !== 'realm_bot') return undefined
    let isChanged = false
    for (const bot of (event.bots ?? [event.bot]) as SealedBot[]) {
      const old = Buffer.from(bot.sealed ?? '', 'base64')
      if (bot.sealed === undefined || hasHeader(old, { header: secrets.sealHeader })) continue
      const binding = sealBindingOfRecord(bot.user_id)
      const text = openOrSkip(secrets, old, binding)
      if (text === undefined) continue
      bot.sealed = secrets.seal(text, binding).toString('base64')
      isChanged = true
    }
    return isChanged ? JSON.stringify(event) : undefined
  })
}
