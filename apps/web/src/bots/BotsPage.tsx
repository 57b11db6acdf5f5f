import type { Bot } from '@oxbow/contract'
import { ownBots } from '../client/account/own-bots.ts'
import { awaitOrShowRefusal } from '../client/act.ts'
import { writeHash } from '../client/route/hash.ts'
import { isGuest } from '../client/store.ts'
import { Group } from '../frame/Group.tsx'
import { SettingList } from '../frame/SettingList.tsx'
import { t } from '../text/t.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { nameBotType } from './bot-types.ts'
import { reactivateBot } from './change-bot.ts'
import { NewBot } from './NewBot.tsx'

/** The settings page of the user's bots. */
export function BotsPage() {
  const active = ownBots.value.filter(({ is_active }) => is_active)
  const inactive = ownBots.value.filter(({ is_active }) => !is_active)
  return (
    <>
      <Group title={t('bots.title')} hint={t('bots.hint')}>
        {active.length === 0 ? (
          <p class="SettingList-empty">{t('bots.none')}</p>
        ) : (
          <SettingList>
            {active.map((bot) => (
              <Row key={bot.user_id} bot={bot} />
            ))}
          </SettingList>
        )}
      </Group>
      <NewBot />
      {inactive.length > 0 && (
        <Group title={t('bots.deactivated')} hint={t('bots.deactivated_hint')}>
          <SettingList>
            {inactive.map((bot) => (
              <Row key={bot.user_id} bot={bot} />
            ))}
          </SettingList>
        </Group>
      )}
    </>
  )
}

function Row({ bot }: { bot: Bot }) {
  const { user_id, full_name: name, email, bot_type, avatar_url, is_active } = bot
  return (
    <li class="SettingList-row SettingList-tall">
      <Avatar user_id={user_id} url={avatar_url} name={name} size="l" />
      <div class="SettingList-name">
        <bdi class="SettingList-title">{name}</bdi>
        <p class="SettingList-facts">{nameBotType(bot_type)}</p>
        <p class="SettingList-facts">
          <bdi>{email}</bdi>
        </p>
      </div>
      <div class="SettingList-actions">
        {is_active || isGuest.value ? (
          <a
            class="Button Button-quiet"
            href={writeHash({ view: 'bot', user_id, page: 'general' })}
            aria-label={t('bots.manage_one', { name })}
          >
            {t('bots.manage')}
          </a>
        ) : (
          <Button
            aria-label={t('bots.reactivate_one', { name })}
            onClick={() => void awaitOrShowRefusal(reactivateBot(bot))}
          >
            {t('bots.reactivate')}
          </Button>
        )}
      </div>
    </li>
  )
}
