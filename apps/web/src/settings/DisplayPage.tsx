import { incompleteLanguages, languages, nameLanguage } from '../client/account/languages.ts'
import {
  changeHomeView,
  changeSingleKeys,
  changeTextSize,
  type HomeView,
  homeView,
  homeViews,
  singleKeys,
  type TextSize,
  textSize,
  textSizes,
} from '../client/device/device-settings.ts'
import { formatTime } from '../client/formats/dates.ts'
import { timeAt } from '../client/formats/local-time.ts'
import { today } from '../client/formats/today.ts'
import {
  colorScheme,
  countsStarred,
  demoteInactive,
  denseMode,
  emojiSet,
  entersSend,
  highContrast,
  sendsReceipts,
  translatesEmoticons,
  uses24Hours,
  usesFullWidth,
} from '../client/store.ts'
import { Group } from '../frame/Group.tsx'
import { shownLanguage, t } from '../text/t.ts'
import { Choice } from '../ui/Choice.tsx'
import { Segments } from '../ui/Segments.tsx'
import { Switch } from '../ui/Switch.tsx'
import { changeDisplay, changeEnterSends } from './change-setting.ts'

/** The settings page of the client's appearance. */
export function DisplayPage() {
  return (
    <>
      <Look />
      <Messages />
      <ThisDevice />
    </>
  )
}

function Look() {
  return (
    <Group title={t('display.look')}>
      <Choice
        label={t('display.language')}
        hint={t('display.language_hint')}
        value={shownLanguage.value}
        options={languages.map((code) => ({ value: code, text: describeLanguage(code) }))}
        onChange={(code) => void changeDisplay('default_language', code)}
      />
      <Segments
        label={t('display.theme')}
        value={colorScheme.value ?? 1}
        options={[
          { value: 1, text: t('display.theme_system'), icon: 'laptop' },
          { value: 3, text: t('display.theme_light'), icon: 'sun' },
          { value: 2, text: t('display.theme_dark'), icon: 'moon' },
        ]}
        onChange={(value) => void changeDisplay('color_scheme', value)}
      />
      <Switch
        label={t('display.contrast')}
        hint={t('display.contrast_hint')}
        isOn={highContrast.value ?? false}
        onChange={(isOn) => void changeDisplay('high_contrast_mode', isOn)}
      />
      <Switch
        label={t('display.dense')}
        hint={t('display.dense_hint')}
        isOn={denseMode.value ?? false}
        onChange={(isOn) => void changeDisplay('dense_mode', isOn)}
      />
      <Switch
        label={t('display.full_width')}
        hint={t('display.full_width_hint')}
        isOn={usesFullWidth.value ?? false}
        onChange={(isOn) => void changeDisplay('fluid_layout_width', isOn)}
      />
      <Switch
        label={t('display.hours')}
        hint={t('display.hours_hint', { time: formatTime(exampleTime()) })}
        isOn={uses24Hours.value ?? false}
        onChange={(isOn) => void changeDisplay('twenty_four_hour_time', isOn)}
      />
    </Group>
  )
}

const describeLanguage = (code: (typeof languages)[number]): string =>
  incompleteLanguages.includes(code)
    ? t('display.language_incomplete', { language: nameLanguage(code) })
    : nameLanguage(code)

/** Returns a time in the afternoon, which the two clock formats show differently. */
const exampleTime = (): number => timeAt(`${today.value}T16:30`)

function Messages() {
  return (
    <Group title={t('display.messages')}>
      <Switch
        label={t('display.enter')}
        hint={entersSend.value ? t('display.enter_on') : t('display.enter_off')}
        isOn={entersSend.value ?? false}
        onChange={(isOn) => void changeEnterSends(isOn)}
      />
      <Switch
        label={t('display.emoticons')}
        hint={t('display.emoticons_hint')}
        isOn={translatesEmoticons.value ?? false}
        onChange={(isOn) => void changeDisplay('translate_emoticons', isOn)}
      />
      <Switch
        label={t('display.emoji_names')}
        hint={t('display.emoji_names_hint')}
        isOn={emojiSet.value === 'text'}
        onChange={(isOn) => void changeDisplay('emojiset', isOn ? 'text' : 'google')}
      />
      <Switch
        label={t('display.starred')}
        isOn={countsStarred.value ?? false}
        onChange={(isOn) => void changeDisplay('starred_message_counts', isOn)}
      />
      <Switch
        label={t('display.send_read_receipts')}
        hint={t('display.send_read_receipts_hint')}
        isOn={sendsReceipts.value ?? true}
        onChange={(isOn) => void changeDisplay('send_read_receipts', isOn)}
      />
      <Choice
        label={t('display.inactive')}
        hint={t('display.inactive_hint')}
        value={demoteInactive.value ?? 1}
        options={[
          { value: 1, text: t('display.inactive_automatic') },
          { value: 2, text: t('display.inactive_always') },
          { value: 3, text: t('display.inactive_never') },
        ]}
        onChange={(value) => void changeDisplay('demote_inactive_streams', value)}
      />
    </Group>
  )
}

const sizeNames: Record<TextSize, () => string> = {
  14: () => t('display.size_small'),
  16: () => t('display.size_usual'),
  18: () => t('display.size_large'),
  20: () => t('display.size_larger'),
  22: () => t('display.size_largest'),
}

const homeNames: Record<HomeView, () => string> = {
  inbox: () => t('nav.inbox'),
  all: () => t('nav.all_messages'),
}

function ThisDevice() {
  return (
    <Group title={t('display.device')} isStoredOnDevice>
      <Choice
        label={t('display.size')}
        value={textSize.value}
        options={textSizes.map((size) => ({ value: size, text: sizeNames[size]() }))}
        onChange={changeTextSize}
      />
      <Choice
        label={t('display.home')}
        hint={t('display.home_hint')}
        value={homeView.value}
        options={homeViews.map((view) => ({ value: view, text: homeNames[view]() }))}
        onChange={changeHomeView}
      />
      <Switch
        label={t('display.single_keys')}
        hint={t('display.single_keys_hint')}
        isOn={singleKeys.value}
        onChange={changeSingleKeys}
      />
    </Group>
  )
}
