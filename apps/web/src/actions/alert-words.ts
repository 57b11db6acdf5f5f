import type { Event } from '@oxbow/contract'
import { client } from '../data/client.ts'
import { applyOptimistically } from '../data/pending.ts'
import { alertWords } from '../data/store.ts'
import { t } from '../text/t.ts'
import { offerUndo } from '../ui/undo.ts'
import { awaitOrShowRefusal } from './act.ts'

/** Adds an alert word optimistically. Throws the server's refusal. */
export const addAlertWord = (word: string): Promise<unknown> =>
  applyOptimistically([wordsEvent([...(alertWords.peek() ?? []), word])], (options) =>
    client.alertWords.add({ alert_words: [word] }, options),
  )

/** Removes an alert word, and offers to undo it. */
export async function removeAlertWord(word: string): Promise<void> {
  const remaining = (alertWords.peek() ?? []).filter((other) => other !== word)
  const call = applyOptimistically([wordsEvent(remaining)], (options) =>
    client.alertWords.remove({ alert_words: [word] }, options),
  )
  if (await awaitOrShowRefusal(call))
    offerUndo(t('alert_words.removed', { word }), () => void awaitOrShowRefusal(addAlertWord(word)))
}

const wordsEvent = (alert_words: string[]): Event =>
  ({ type: 'alert_words', alert_words }) as unknown as Event
