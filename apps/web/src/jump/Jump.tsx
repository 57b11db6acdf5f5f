import './Jump.css'
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { loadRecent } from '../client/conversations/recent.ts'
import { closeDialog, jumpText } from '../client/open-dialogs.ts'
import { hasDirectory } from '../client/people/people.ts'
import { writeHash } from '../client/route/hash.ts'
import { filterRoute, privateRoute, type Route, streamRoute } from '../client/route/route.ts'
import { routeOfTarget } from '../client/route/target-route.ts'
import { openView } from '../composer/open-view.ts'
import { runCommand } from '../keys/dispatch.ts'
import { prepareNames } from '../search/find-names.ts'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { optionId } from '../ui/option-id.ts'
import { useOutsideClick } from '../ui/use-outside-click.ts'
import { JumpOption } from './JumpOption.tsx'
import { type JumpRow, listSections } from './sections.ts'

/** Number of rows by which PageUp and PageDown move. */
const page = 6

/** A dialog that finds conversations, people, streams and commands by name, and opens them. */
export function Jump() {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const active = useSignal(0)
  const sections = useComputed(() => listSections(jumpText.value))
  const rows = useComputed(() => sections.value.flatMap((section) => section.rows))
  const activeIndex = Math.min(active.value, rows.value.length - 1)
  useLayoutEffect(() => {
    const opener = document.activeElement
    const shown = dialog.current
    shown?.showModal()
    field.current?.focus()
    void loadRecent()
    return () => {
      // Elements behind the dialog can get the focus only after it is closed.
      shown?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  // Also prepares names that arrive while the dialog is open.
  useEffect(prepareNames, [hasDirectory.value])
  useEffect(() => {
    document.getElementById(optionId(id, activeIndex))?.scrollIntoView({ block: 'nearest' })
  }, [activeIndex, rows.value])
  const move = (to: number) => {
    active.value = Math.max(0, Math.min(rows.value.length - 1, to))
  }
  const choose = (row: JumpRow, isNewTab: boolean) => {
    const route = routeOfRow(row)
    if (isNewTab && route) window.open(`/${writeHash(route)}`, '_blank', 'noopener')
    closeDialog()
    if (!isNewTab) openRow(row)
  }
  const search = () => {
    const text = jumpText.peek().trim()
    if (text === '') return
    closeDialog()
    openView(filterRoute('search', text))
  }
  const press = (event: KeyboardEvent) => {
    const row = rows.value[activeIndex]
    const count = rows.value.length
    if (event.isComposing) return
    if (event.key === 'ArrowDown') active.value = count === 0 ? 0 : (activeIndex + 1) % count
    else if (event.key === 'ArrowUp') active.value = count === 0 ? 0 : (activeIndex - 1 + count) % count
    else if (event.key === 'PageDown') move(activeIndex + page)
    else if (event.key === 'PageUp') move(activeIndex - page)
    else if (event.key === 'Enter' && event.shiftKey) search()
    else if (event.key === 'Enter') row && choose(row, event.ctrlKey || event.metaKey)
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      class="Jump"
      aria-label={t('jump.open')}
      {...useOutsideClick(closeDialog)}
      onCancel={(event) => {
        event.preventDefault()
        closeDialog()
      }}
    >
      <div class="Jump-content">
        <div class="Jump-head">
          <Icon name="search" />
          <input
            ref={field}
            class="Jump-field"
            type="text"
            role="combobox"
            aria-label={t('jump.field')}
            aria-autocomplete="list"
            aria-expanded={rows.value.length > 0}
            aria-controls={id}
            aria-activedescendant={activeIndex >= 0 ? optionId(id, activeIndex) : undefined}
            autocomplete="off"
            spellcheck={false}
            placeholder={t('people.type_name')}
            value={jumpText.value}
            onInput={({ currentTarget }) => {
              active.value = 0
              jumpText.value = currentTarget.value
            }}
            onKeyDown={press}
          />
          <IconButton icon="x" label={t('ui.close')} onClick={closeDialog} />
        </div>
        <div class="Jump-list" id={id} role="listbox" aria-label={t('jump.results')}>
          {numberRows(sections.value).map(({ title, numbered }, order) => (
            // biome-ignore lint/a11y/useSemanticElements: no native element represents a group of options.
            <div
              key={title ?? 'search'}
              class="Jump-section"
              role="group"
              aria-label={title ?? t('messages.search')}
            >
              {title && (
                <div class="Heading Jump-title" aria-hidden="true" data-first={order === 0 || undefined}>
                  {title}
                </div>
              )}
              {numbered.map(({ row, index }) => (
                <JumpOption
                  key={row.key}
                  id={optionId(id, index)}
                  row={row}
                  isActive={index === activeIndex}
                  onChoose={(isNewTab) => choose(row, isNewTab)}
                />
              ))}
            </div>
          ))}
        </div>
        <p class="Jump-hint">{t('jump.hint')}</p>
        <span class="Spoken" role="status">
          {rows.value.length > 0 ? t('ui.matches', { count: rows.value.length }) : t('ui.no_matches')}
        </span>
      </div>
    </dialog>
  )
}

/** Gives each row an index that counts over all sections. */
function numberRows(sections: ReturnType<typeof listSections>) {
  let next = 0
  return sections.map(({ title, rows }) => ({ title, numbered: rows.map((row) => ({ row, index: next++ })) }))
}

/** Returns the route of a row; undefined for a command that opens no view. */
function routeOfRow(row: JumpRow): Route | undefined {
  switch (row.kind) {
    case 'conversation':
      return routeOfTarget(row.conversation.target)
    case 'person':
      return privateRoute([row.person.user_id], row.person.full_name)
    case 'stream':
      return streamRoute({ stream_id: row.stream.stream_id, name: row.stream.name })
    case 'search':
      return filterRoute('search', row.text)
    case 'command':
      return typeof row.command.does === 'function' ? undefined : row.command.does
  }
}

/** Opens the view of a row, or runs its command. */
function openRow(row: JumpRow): void {
  const route = routeOfRow(row)
  if (route) openView(route)
  else if (row.kind === 'command') runCommand(row.command)
}
