import './Popover.css'
import './Menu.css'
import type { ComponentChildren, Ref } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Icon } from './Icon.tsx'
import type { IconName } from './icon-names.generated.ts'
import { findNextItem } from './menu-keys.ts'
import { useAnchor } from './use-anchor.ts'

export interface MenuItem {
  text: string
  icon?: IconName
  /** Makes the item a link; without it, the item runs an action. */
  href?: string
  /** Whether the link opens in a new tab. */
  isOutside?: boolean
  onSelect?: () => void
  isDanger?: boolean
  /** The reason why the item is disabled, shown below its text. */
  refusal?: string | undefined
  /** Whether a separator is drawn above the item. */
  startsGroup?: boolean
}

export interface MenuProps {
  button: (properties: MenuButton) => ComponentChildren
  label: string
  items: readonly MenuItem[]
  /** Called before the menu is shown, for instance to fetch permissions. */
  onOpen?: () => void
}

interface MenuButton {
  ref: Ref<HTMLButtonElement>
  popovertarget: string
  'aria-expanded': boolean
  'aria-haspopup': 'menu'
  style: Record<string, string>
}

/**
 * A menu, as the ARIA practices define it: arrow keys, Home, End and first letters move; Esc
 * closes; Tab leaves.
 */
export function Menu({ button, label, items, onOpen }: MenuProps) {
  const { id, anchor, placed } = useAnchor()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const listItems = () => [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  const close = () => list.current?.hidePopover()
  const move = (event: KeyboardEvent) => {
    const all = listItems()
    if (event.key === 'Tab') return close()
    const texts = all.map((item) => item.textContent ?? '')
    const next = findNextItem(event.key, all.indexOf(document.activeElement as HTMLElement), texts)
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    all[next]?.focus()
  }
  const noteToggle = (event: Pick<ToggleEvent, 'newState'>) => {
    setOpen(event.newState === 'open')
    if (event.newState === 'open') listItems()[0]?.focus()
  }
  return (
    <>
      {button({
        ref: opener,
        popovertarget: id,
        'aria-expanded': isOpen,
        'aria-haspopup': 'menu',
        style: anchor,
      })}
      <div
        ref={list}
        id={id}
        class="Popover Menu"
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        style={placed}
        onBeforeToggle={({ newState }) => {
          if (newState === 'open') onOpen?.()
        }}
        onToggle={noteToggle}
        onKeyDown={move}
      >
        {items.map((item) => (
          <Item key={item.text} item={item} close={close} />
        ))}
      </div>
    </>
  )
}

function Item({ item, close }: { item: MenuItem; close: () => void }) {
  const { text, icon, href, isOutside, onSelect, isDanger, refusal, startsGroup } = item
  const name = `Menu-item${isDanger ? ' Menu-danger' : ''}${startsGroup ? ' Menu-group' : ''}`
  const content = (
    <>
      {icon ? <Icon name={icon} /> : <span class="Icon" />}
      <span>
        {text}
        {refusal && <span class="Menu-refusal">{refusal}</span>}
      </span>
    </>
  )
  const select = () => {
    if (refusal) return
    close()
    onSelect?.()
  }
  return href && !refusal ? (
    <a
      class={name}
      role="menuitem"
      tabIndex={-1}
      href={href}
      target={isOutside ? '_blank' : undefined}
      onClick={select}
    >
      {content}
    </a>
  ) : (
    <button
      type="button"
      class={name}
      role="menuitem"
      tabIndex={-1}
      aria-disabled={refusal ? true : undefined}
      onClick={select}
    >
      {content}
    </button>
  )
}
