import { awaitOrShowRefusal } from '../actions/act.ts'
import { addAlertWord, removeAlertWord } from '../actions/alert-words.ts'
import { alertWords } from '../data/store.ts'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { FormEnd } from './FormEnd.tsx'
import { Group } from './Group.tsx'
import { SettingList } from './SettingList.tsx'
import { useForm } from './use-form.ts'

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
