import { awaitOrShowRefusal } from '../client/act.ts'
import { client } from '../client/client.ts'
import { applyOptimistically, type PendingEvent } from '../client/pending.ts'
import { alertWords } from '../client/store.ts'
import { offerUndo } from '../client/undo.ts'
import { FormEnd } from '../frame/FormEnd.tsx'
import { Group } from '../frame/Group.tsx'
import { SettingList } from '../frame/SettingList.tsx'
import { useForm } from '../frame/use-form.ts'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'

const maxLength = 100

/** The settings page of alert words, which highlight messages like a mention. */
export function AlertWordsPage() {
  const words = alertWords.value ?? []
  const form = useForm<'word'>({
    async submit({ word }, element) {
      if (word.trim() === '') return undefined
      // Cleared at once, so that the user can type the next word while this one is being saved.
      element.reset()
      void awaitOrShowRefusal(addAlertWord(word.trim()))
      return undefined
    },
    findProblems: ({ reason }) => ({ word: reason }),
  })
  return (
    <Group title={t('alert_words.title')} hint={t('alert_words.hint')}>
      {words.length === 0 ? (
        <p class="SettingList-empty">{t('alert_words.empty')}</p>
      ) : (
        <SettingList>
          {words.map((word) => (
            <li key={word} class="SettingList-row">
              <bdi class="SettingList-name">{word}</bdi>
              <IconButton
                icon="trash-2"
                label={t('alert_words.remove', { word })}
                onClick={() => void removeAlertWord(word)}
              />
            </li>
          ))}
        </SettingList>
      )}
      <form class="Group" {...form.attributes}>
        <Field label={t('alert_words.new')} hint={t('alert_words.new_hint')} problem={form.problems.word}>
          <input type="text" name="word" maxLength={maxLength} autocomplete="off" />
        </Field>
        <FormEnd form={form} action={t('alert_words.add')} />
      </form>
    </Group>
  )
}

/** Adds an alert word optimistically. Throws the server's refusal. */
const addAlertWord = (word: string): Promise<unknown> =>
  applyOptimistically([wordsEvent([...(alertWords.peek() ?? []), word])], (options) =>
    client.alertWords.add({ alert_words: [word] }, options),
  )

/** Removes an alert word, and offers to undo it. */
async function removeAlertWord(word: string): Promise<void> {
  const remaining = (alertWords.peek() ?? []).filter((other) => other !== word)
  const call = applyOptimistically([wordsEvent(remaining)], (options) =>
    client.alertWords.remove({ alert_words: [word] }, options),
  )
  if (await awaitOrShowRefusal(call))
    offerUndo(t('alert_words.removed', { word }), () => void awaitOrShowRefusal(addAlertWord(word)))
}

const wordsEvent = (alert_words: string[]): PendingEvent => ({ type: 'alert_words', alert_words })
