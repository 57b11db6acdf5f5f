import { useEffect, useRef, useState } from 'preact/hooks'
import { endedName, findSignedInName, whenCleared } from '../client/account/session.ts'
import { connection } from '../client/connection.ts'
import { unsent } from '../client/writing/outbox.ts'
import { hasUnsavedTexts } from '../client/writing/unsaved-texts.ts'
import { viewTitle } from '../frame/view-title.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'

/**
 * The screen after the session of this page has ended, or while another account is signed in in this browser.
 * It shows no data of the account except its name.
 */
export function SessionEnded() {
  const isOther = connection.value.status === 'other account'
  const isUnsaved = hasUnsavedTexts()
  const isEmpty = !isOther && !isUnsaved && endedName.value === undefined
  useEffect(() => {
    // Nobody was using the page yet, so there is nothing to explain.
    if (isEmpty) void whenCleared().then(() => location.replace(signInUrl(false)))
  }, [isEmpty])
  const name = useSignedInName(isOther)
  const title = isOther
    ? name === undefined
      ? t('ended.other_unknown')
      : t('ended.other_title', { name })
    : t('ended.signed_out')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    viewTitle.value = title
  }, [title])
  useEffect(() => heading.current?.focus(), [isOther])
  const own = endedName.value
  const [signIn, belongs] = texts(isOther, own)
  return (
    <main class="Boot SessionEnded" id="main">
      <div class="Boot-mark" />
      <h1 class="Boot-name" tabIndex={-1} ref={heading}>
        {title}
      </h1>
      <p class="Boot-text">{belongs}</p>
      {isUnsaved ? (
        <p class="Boot-text">{t('ended.unsaved')}</p>
      ) : (
        unsent.value.length > 0 && <p class="Boot-text">{t('ended.kept', { count: unsent.value.length })}</p>
      )}
      <div class="Boot-actions">
        <a
          class="Button Button-primary"
          href={signInUrl(isOther)}
          // A page that is left loses texts that it has only in memory.
          {...(isUnsaved && { target: '_blank', rel: 'noopener' })}
        >
          {signIn}
        </a>
        {isOther && (
          <Button onClick={() => location.replace('/')}>
            {name === undefined ? t('ended.continue') : t('ended.continue_as', { name })}
          </Button>
        )}
      </div>
    </main>
  )
}

const signInUrl = (isOther: boolean): string =>
  `/login?${isOther ? 'other_account&' : ''}next=${encodeURIComponent(`/${location.hash}`)}`

/** Returns the text of the link that signs in, and the explanation. */
function texts(isOther: boolean, own: string | undefined): [signIn: string, explanation: string] {
  if (!isOther) return [t('ended.sign_in_again'), t('ended.hint')]
  if (own === undefined) return [t('ended.sign_in'), t('ended.own_hint')]
  return [t('ended.sign_in_as', { name: own }), t('ended.other_hint', { name: own })]
}

/** Returns the name of the other account that is signed in in this browser. */
function useSignedInName(isOther: boolean): string | undefined {
  const [name, setName] = useState<string>()
  useEffect(() => {
    if (isOther) void findSignedInName().then(setName)
  }, [isOther])
  return isOther ? name : undefined
}
