import './BotView.css'
import type { Bot } from '@oxbow/contract'
import { BotType } from '@oxbow/contract/plain'
import { createdBot, findOutgoingService, ownBots } from '../client/account/own-bots.ts'
import { awaitOrShowRefusal } from '../client/act.ts'
import { peopleById } from '../client/people/people.ts'
import { writeHash } from '../client/route/hash.ts'
import type { PageOf, Route } from '../client/route/route.ts'
import { route } from '../client/route/router.ts'
import { isGuest } from '../client/store.ts'
import { FormEnd } from '../frame/FormEnd.tsx'
import { Group } from '../frame/Group.tsx'
import { Picture } from '../frame/Picture.tsx'
import { followChanges, useForm } from '../frame/use-form.ts'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Field } from '../ui/Field.tsx'
import { Icon } from '../ui/Icon.tsx'
import { RowsLoading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { BotKey } from './BotKey.tsx'
import { nameBotType } from './bot-types.ts'
import { changeBot, reactivateBot, uploadBotPicture } from './change-bot.ts'
import { Deactivation } from './Deactivation.tsx'
import { OutgoingWebhook } from './OutgoingWebhook.tsx'
import { WebhookPages } from './WebhookPages.tsx'

const list: Route = { view: 'settings', page: 'bots' }
const back = () => ({ to: list, label: t('pages.back', { title: t('settings.bots') }) })

/** The page of one of the user's bots. */
export function BotView() {
  if (route.value.view !== 'bot') return null
  const { user_id, page } = route.value
  const bot = ownBots.value.find((own) => own.user_id === user_id)
  if (!bot)
    return (
      <ViewFrame title={t('settings.bots')} back={back()}>
        {createdBot.value === user_id ? (
          <RowsLoading />
        ) : (
          <Empty icon="bot" title={t('bots.unknown')} text={t('bots.unknown_hint')}>
            <a href={writeHash(list)}>{t('bots.title')}</a>
          </Empty>
        )}
      </ViewFrame>
    )
  return (
    <ViewFrame title={bot.full_name} heading={<Heading name={bot.full_name} />} back={back()}>
      <div class="BotView" key={user_id}>
        <BotPages bot={bot} page={page} />
      </div>
    </ViewFrame>
  )
}

const Heading = ({ name }: { name: string }) => (
  <>
    <a class="BotView-all" href={writeHash(list)}>
      {t('settings.bots')}
    </a>
    <Icon name="chevron-right" />
    <bdi>{name}</bdi>
  </>
)

function BotPages({ bot, page }: { bot: Bot; page: PageOf<'bot'> }) {
  if (isGuest.value) return <BotOfGuest bot={bot} />
  if (!bot.is_active) return <InactiveBot bot={bot} />
  if (bot.bot_type !== BotType.incomingWebhook) return <ActiveBot bot={bot} />
  return <WebhookPages bot={bot} page={page} general={<ActiveBot bot={bot} />} />
}

function ActiveBot({ bot }: { bot: Bot }) {
  const { user_id, full_name: name, avatar_url } = bot
  const service = findOutgoingService(bot)
  return (
    <>
      <Picture
        user_id={user_id}
        name={name}
        url={peopleById.value.get(user_id)?.large_avatar_url || avatar_url}
        saved={t('bots.picture_saved')}
        onUpload={(file) => uploadBotPicture(bot, file)}
      />
      <Name bot={bot} />
      <Address bot={bot} />
      {service && <OutgoingWebhook bot={bot} service={service} />}
      <BotKey bot={bot} />
      <Deactivation bot={bot} />
    </>
  )
}

const InactiveBot = ({ bot }: { bot: Bot }) => (
  <>
    <Notice>{t('bots.is_deactivated')}</Notice>
    <Address bot={bot} />
    <div>
      <Button look="primary" onClick={() => void awaitOrShowRefusal(reactivateBot(bot))}>
        {t('bots.reactivate')}
      </Button>
    </div>
  </>
)

/** A bot whose owner became a guest, and so may not manage it any more. */
const BotOfGuest = ({ bot }: { bot: Bot }) => (
  <>
    <Notice>{t('bots.guest')}</Notice>
    <Address bot={bot} />
  </>
)

function Name({ bot }: { bot: Bot }) {
  const form = useForm<'full_name'>({
    async submit({ full_name }, element) {
      await changeBot(bot, { full_name: full_name.trim() })
      followChanges(element)
      return t('bots.name_saved')
    },
    findProblems: ({ name, reason }) => (name?.startsWith('NAME_') ? { full_name: reason } : undefined),
  })
  return (
    <Group title={t('profile.name')}>
      <form class="Group" {...form.attributes}>
        <Field label={t('profile.full_name')} hint={t('bots.name_hint')} problem={form.problems.full_name}>
          <input type="text" name="full_name" autocomplete="off" defaultValue={bot.full_name} />
        </Field>
        <FormEnd form={form} action={t('profile.name_save')} />
      </form>
    </Group>
  )
}

const Address = ({ bot }: { bot: Bot }) => (
  <Group title={t('bots.address')} hint={nameBotType(bot.bot_type)}>
    <div class="BotView-address">
      <bdi>{bot.email}</bdi>
      <CopyButton text={bot.email} label={t('bots.address_copy')} />
    </div>
  </Group>
)
