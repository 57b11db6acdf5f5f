import { computed } from '@preact/signals'
import { shownLanguage } from '../../text/t.ts'
import { language } from '../store.ts'

/** The locale of dates and lists: the account's variant of the shown language, such as `en-gb`. */
export const locale = computed(() => {
  const code = language.value
  return code?.split('-')[0] === shownLanguage.value ? code : shownLanguage.value
})
