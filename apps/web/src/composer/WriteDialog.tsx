import './WriteDialog.css'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { SendTarget } from '../client/conversations/target.ts'
import { closeDialog, openDialog } from '../client/open-dialogs.ts'
import { findStreamId } from '../client/route/route.ts'
import { route } from '../client/route/router.ts'
import { routeOfTarget } from '../client/route/target-route.ts'
import { t } from '../text/t.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Icon } from '../ui/Icon.tsx'
import { AddressedText } from './addressed-text.ts'
import { type Addressee, listAddressees, targetFor } from './addressees.ts'
import { Composer } from './Composer.tsx'
import { openView } from './open-view.ts'
import type { Suggestion } from './suggest.ts'
import { Typeahead } from './Typeahead.tsx'
import { useTypeahead } from './use-typeahead.ts'

/** Composes a new message from any view: first the recipient, then the text. */
export function WriteDialog() {
  const open = openDialog.value
  const to = open?.kind === 'new message' ? open.to : 'stream'
  const chosen = useSignal<readonly Addressee[]>([])
  const query = useSignal('')
  const field = useRef<HTMLInputElement>(null)
  const found = listAddressees(query.value, to, chosen.value)
  const { current: text } = useRef(new AddressedText())
  const address = (addressees: readonly Addressee[]) => {
    const target = targetFor(addressees)
    if (target) text.addressTo(target)
    chosen.value = addressees
  }
  const choose = ({ key }: Suggestion) => {
    const addressee = found.find((candidate) => candidate.key === key)
    if (!addressee) return
    address(addressee.type === 'stream' ? [addressee] : [...chosen.value, addressee])
    query.value = ''
    if (addressee.type === 'stream') requestAnimationFrame(focusTopic)
  }
  const typeahead = useTypeahead(found, choose)
  useEffect(() => {
    const stream_id = to === 'stream' ? findStreamId(route.peek()) : undefined
    const open = listAddressees('', 'stream', []).find((candidate) => candidate.id === stream_id)
    if (open) {
      address([open])
      requestAnimationFrame(focusTopic)
    } else field.current?.focus()
  }, [to, chosen])
  const remove = (removed: Addressee) => {
    address(chosen.value.filter((candidate) => candidate !== removed))
    field.current?.focus()
  }
  const target = targetFor(chosen.value)
  const takesMore = chosen.value[0]?.type !== 'stream'
  return (
    <Dialog title={t('write.title')} onClose={closeDialog}>
      <div class="WriteDialog">
        <div class="WriteDialog-to">
          <span class="WriteDialog-label">{t('write.to')}</span>
          {chosen.value.map((addressee) => (
            <button
              key={addressee.key}
              type="button"
              class="WriteDialog-chip"
              aria-label={t('write.remove', { name: addressee.title })}
              onClick={() => remove(addressee)}
            >
              <bdi>{addressee.title}</bdi>
              <Icon name="x" />
            </button>
          ))}
          {takesMore && (
            <input
              ref={field}
              class="WriteDialog-field"
              type="text"
              role="combobox"
              aria-label={t('write.to')}
              placeholder={chosen.value.length === 0 ? t('write.to_hint') : ''}
              autocomplete="off"
              value={query.value}
              aria-expanded={typeahead.isOpen}
              {...typeahead.attributes}
              onInput={({ currentTarget }) => {
                typeahead.reset()
                query.value = currentTarget.value
              }}
              onKeyDown={(event) => {
                const last = chosen.value.at(-1)
                if (typeahead.press(event)) return
                if (event.key === 'Backspace' && query.value === '' && last) remove(last)
              }}
            />
          )}
          {typeahead.isOpen && takesMore && (query.value !== '' || chosen.value.length === 0) && (
            <Typeahead
              id={typeahead.id}
              label={t('write.to')}
              suggestions={found}
              active={typeahead.active}
              onChoose={choose}
            />
          )}
        </div>
        {target && <Composer target={target} onSent={openSent} />}
      </div>
    </Dialog>
  )
}

/** Closes the dialog, and opens the conversation of the message that was sent. */
function openSent(conversation?: SendTarget): void {
  closeDialog()
  if (conversation) openView(routeOfTarget(conversation))
}

function focusTopic(): void {
  document.querySelector<HTMLElement>('.WriteDialog .TopicField-input')?.focus()
}
