import './ViewFrame.css'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Route } from '../client/route/route.ts'
import { openRoute } from '../client/route/router.ts'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { hasSide, isNavOpen, isSideOpen, toggleSide } from './panes.ts'
import { viewTitle } from './view-title.ts'

export interface ViewFrameProps {
  /** Title of the document. */
  title: string
  /** The heading, if it is more than the title, such as stream › topic. */
  heading?: ComponentChildren
  /** A field in place of the heading, which is then only for screen readers. */
  field?: ComponentChildren
  /** Content beside the heading, such as counts. */
  facts?: ComponentChildren
  /** Buttons at the end of the header. */
  actions?: ComponentChildren
  /** The composer, or its replacement. */
  composer?: ComponentChildren
  /** Target of the back button on phones; by default the nav. */
  back?: { to: Route; label: string }
  /** Accessible name of the main region; by default the title. */
  label?: string
  children: ComponentChildren
}

/** The middle pane: header, content and composer, each a region. */
export function ViewFrame(properties: ViewFrameProps) {
  const { title, heading, field, facts, actions, composer, back, label = title, children } = properties
  useEffect(() => {
    viewTitle.value = title
  }, [title])
  return (
    <>
      <header class="ViewFrame-header" data-region="header">
        <span class="ViewFrame-menu">
          <IconButton
            icon="menu"
            label={t('nav.open')}
            onClick={() => {
              isNavOpen.value = true
            }}
          />
        </span>
        <span class="ViewFrame-back">
          <IconButton
            icon="chevron-left"
            label={back?.label ?? t('header.back')}
            onClick={() => openRoute(back?.to ?? { view: 'home' })}
          />
        </span>
        <h1 class={field ? 'Spoken' : 'ViewFrame-title'}>{heading ?? title}</h1>
        {field && <div class="ViewFrame-field">{field}</div>}
        {facts && <div class="ViewFrame-facts">{facts}</div>}
        <div class="ViewFrame-actions">
          {actions}
          {hasSide.value && (
            <IconButton
              icon="panel-right"
              label={isSideOpen.value ? t('header.side_close') : t('header.side_open')}
              isPressed={isSideOpen.value}
              onClick={toggleSide}
            />
          )}
        </div>
      </header>
      <main class="ViewFrame-main" id="main" data-region="main" aria-label={label} tabIndex={-1}>
        {children}
      </main>
      {composer && (
        <div class="ViewFrame-composer" data-region="composer">
          {composer}
        </div>
      )}
    </>
  )
}
