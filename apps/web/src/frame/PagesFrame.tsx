import './PagesFrame.css'
import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { writeHash } from '../client/route/hash.ts'
import type { Route } from '../client/route/route.ts'
import { t } from '../text/t.ts'
import { Icon } from '../ui/Icon.tsx'
import type { IconName } from '../ui/icon-names.generated.ts'
import { isPhone } from './panes.ts'
import { ViewFrame } from './ViewFrame.tsx'

export interface FramedPage {
  title: string
  icon: IconName
  to: Route
  content: ComponentType
}

export interface PagesFrameProps {
  /** Heading above the list of pages. */
  title: string
  /** Route to the list of pages. */
  list: Route
  pages: readonly [FramedPage, ...FramedPage[]]
  /** The page that the URL names; undefined for the list. */
  shown: FramedPage | undefined
}

/** A view of several pages. The list is beside the page; on phones each is a separate screen. */
export function PagesFrame({ title, list, pages, shown }: PagesFrameProps) {
  const isList = isPhone.value && !shown
  const page = shown ?? pages[0]
  const Content = page.content
  const before = useRef(shown)
  // On phones, the link with the focus is gone after a page is opened. A page that is opened at once has no such
  // link, and would show the focus.
  useEffect(() => {
    if (isPhone.peek() && shown?.title !== before.current?.title) document.getElementById('main')?.focus()
    before.current = shown
  }, [shown?.title])
  if (isList)
    return (
      <ViewFrame title={title}>
        <PageList title={title} pages={pages} />
      </ViewFrame>
    )
  return (
    <ViewFrame
      title={`${page.title} – ${title}`}
      heading={isPhone.value ? page.title : <Heading title={title} page={page.title} />}
      label={page.title}
      back={{ to: list, label: t('pages.back', { title }) }}
    >
      <div class="PagesFrame">
        {!isPhone.value && <PageList title={title} pages={pages} current={page} />}
        <div class="PagesFrame-page" key={page.title}>
          <Content />
        </div>
      </div>
    </ViewFrame>
  )
}

const Heading = ({ title, page }: { title: string; page: string }) => (
  <>
    <span class="PagesFrame-all">{title}</span>
    <Icon name="chevron-right" />
    {page}
  </>
)

function PageList({
  title,
  pages,
  current,
}: {
  title: string
  pages: readonly FramedPage[]
  current?: FramedPage
}) {
  return (
    <nav class="PagesFrame-list" aria-label={title}>
      {pages.map((page) => (
        <a
          key={page.title}
          class="PagesFrame-link"
          href={writeHash(page.to)}
          aria-current={page === current ? 'page' : undefined}
        >
          <Icon name={page.icon} />
          {page.title}
        </a>
      ))}
    </nav>
  )
}
