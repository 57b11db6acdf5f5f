import './Search.css'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { t } from '../text/t.ts'
import { SearchField } from './SearchField.tsx'

const examples = [
  ['stream:garden prune', 'search.example_stream'],
  ['sender:me has:image', 'search.example_sender'],
  ['"south wall"', 'search.example_phrase'],
  ['-is:private frost', 'search.example_not'],
  ['streams:public compost', 'search.example_public'],
] as const

/** The view of a new search: its field, and hints on what to type. */
export function Search() {
  return (
    <ViewFrame title={t('messages.search')} field={<SearchField />}>
      <div class="Search">
        <p>{t('search.about')}</p>
        <dl class="Search-examples">
          {examples.map(([typed, key]) => (
            <div key={key} class="Search-example">
              <dt>
                <code>{typed}</code>
              </dt>
              <dd>{t(key)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </ViewFrame>
  )
}
