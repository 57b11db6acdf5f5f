import './SessionsPage.css'
import type { Session } from '@oxbow/contract'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { signOut } from '../client/account/sign-out.ts'
import { awaitOrShowRefusal } from '../client/act.ts'
import { client } from '../client/client.ts'
import { formatShortDateTime } from '../client/formats/dates.ts'
import { useLoaded } from '../client/use-loaded.ts'
import { Group } from '../frame/Group.tsx'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Icon } from '../ui/Icon.tsx'
import { RowsFailed, RowsLoading } from '../ui/Loading.tsx'

/** The settings page of the account's sessions. */
export function SessionsPage() {
  const { value: sessions, problem, reload } = useLoaded(listSessions)
  const isAsking = useSignal(false)
  useEffect(() => {
    // There are no events about sessions, so the list is fetched again when the page becomes visible.
    addEventListener('focus', reload)
    return () => removeEventListener('focus', reload)
  }, [reload])
  const end = async (call: Promise<unknown>) => {
    await awaitOrShowRefusal(call)
    await reload()
  }
  const others = sessions?.filter(({ is_current }) => !is_current) ?? []
  return (
    <Group title={t('sessions.title')} hint={t('sessions.hint')}>
      {problem !== undefined && <RowsFailed problem={problem} onRetry={() => void reload()} />}
      {!sessions && problem === undefined && <RowsLoading />}
      {sessions && (
        <ul class="SessionsPage-list">
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              onEnd={() => (session.is_current ? void signOut() : void end(endSession(session)))}
            />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <div>
          <Button
            look="danger"
            icon="log-out"
            onClick={() => {
              isAsking.value = true
            }}
          >
            {t('sessions.end_others')}
          </Button>
        </div>
      )}
      {isAsking.value && (
        <EndOthersDialog
          count={others.length}
          onClose={() => {
            isAsking.value = false
          }}
          onEnd={() => {
            isAsking.value = false
            void end(endOtherSessions())
          }}
        />
      )}
    </Group>
  )
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { program, address, last_seen_at, is_current, is_trusted } = session
  const seen = is_current
    ? t('sessions.now')
    : t('sessions.seen', { time: formatShortDateTime(last_seen_at * 1_000) })
  return (
    <li class="SessionsPage-row" data-current={is_current || undefined}>
      <Icon name="laptop" />
      <div class="SessionsPage-facts">
        <p class="SessionsPage-name">
          <bdi>{program}</bdi>
          {is_current && <span class="SessionsPage-mark">{t('sessions.current')}</span>}
        </p>
        <p>{t('sessions.from', { address, seen })}</p>
        <p>{is_trusted ? t('sessions.trusted') : t('sessions.not_trusted')}</p>
      </div>
      <Button aria-label={t('sessions.end_one', { program })} onClick={onEnd}>
        {t('sessions.end')}
      </Button>
    </li>
  )
}

function EndOthersDialog({
  count,
  onClose,
  onEnd,
}: {
  count: number
  onClose: () => void
  onEnd: () => void
}) {
  return (
    <Dialog
      title={t('sessions.end_others_title')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button look="danger" icon="log-out" onClick={onEnd}>
            {t('sessions.end_others_confirm')}
          </Button>
        </>
      }
    >
      <p>{t('sessions.end_others_hint', { count })}</p>
    </Dialog>
  )
}

/** Lists the account's sessions, most recently used first. */
const listSessions = async (): Promise<readonly Session[]> => (await client.sessions.list()).sessions

/** Ends the session of another browser. */
const endSession = ({ id }: Session): Promise<unknown> => client.sessions.end({ session_id: id })

/** Ends the sessions of all other browsers. */
const endOtherSessions = (): Promise<unknown> => client.sessions.endOthers()
