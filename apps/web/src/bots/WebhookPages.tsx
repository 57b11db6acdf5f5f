import './WebhookPages.css'
import type { Bot } from '@oxbow/contract'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { writeHash } from '../client/route/hash.ts'
import { type PageOf, pages } from '../client/route/route.ts'
import { useLoaded } from '../client/use-loaded.ts'
import { t } from '../text/t.ts'
import { PageLinks } from '../ui/PageLinks.tsx'
import { Failures } from './Failures.tsx'
import { useReplays } from './use-replays.ts'
import { WebhookUrl } from './WebhookUrl.tsx'
import { listFailures } from './webhooks.ts'

export interface WebhookPagesProps {
  bot: Bot
  page: PageOf<'bot'>
  /** The content of the general page. */
  general: ComponentChildren
}

/** The pages of an incoming webhook: general, URL, failures. */
export function WebhookPages({ bot, page, general }: WebhookPagesProps) {
  const { user_id, full_name: name } = bot
  const isList = page === 'failures'
  // The other pages show only the count of deliveries.
  const loaded = useLoaded(async () => ({ failures: await listFailures(bot, isList), hasBodies: isList }))
  const replays = useReplays(bot)
  const { value, reload } = loaded
  const isFirst = useRef(true)
  useEffect(() => {
    if (isList && !isFirst.current) void reload()
    isFirst.current = false
  }, [isList, reload])
  const count = value?.failures.filter(({ id }) => replays.outcomes.get(id)?.kind !== 'delivered').length
  return (
    <>
      <PageLinks
        label={name}
        links={pages.bot.map((shown) => ({
          href: writeHash({ view: 'bot', user_id, page: shown }),
          text: titles[shown](),
          isCurrent: shown === page,
          ...(shown === 'failures' && count !== undefined && { count }),
        }))}
      />
      {page === 'general' && general}
      {page === 'url' && <WebhookUrl bot={bot} />}
      {isList && (
        <Failures
          failures={{ ...loaded, value: value?.hasBodies ? value.failures : undefined }}
          replays={replays}
        />
      )}
    </>
  )
}

const titles: Readonly<Record<PageOf<'bot'>, () => string>> = {
  general: () => t('webhook.general'),
  url: () => t('bots.url'),
  failures: () => t('webhook.failures'),
}
