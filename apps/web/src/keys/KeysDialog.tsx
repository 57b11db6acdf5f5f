import './KeysDialog.css'
import { singleKeys } from '../client/device/device-settings.ts'
import { closeDialog } from '../client/open-dialogs.ts'
import { helpPath } from '../client/route/route.ts'
import { t } from '../text/t.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Keys } from '../ui/Keys.tsx'
import { Notice } from '../ui/Notice.tsx'
import { listKeyGroups } from './table.ts'

/** Lists all keyboard shortcuts, grouped by where they work. */
export function KeysDialog() {
  return (
    <Dialog title={t('keys.title')} onClose={closeDialog}>
      {!singleKeys.value && <Notice>{t('keys.switched_off')}</Notice>}
      <div class="KeysDialog">
        {listKeyGroups().map(({ title, bindings }) => (
          <section key={title} class="KeysDialog-group">
            <h3 class="KeysDialog-title">{title}</h3>
            <dl>
              {bindings.map(({ id, keys, text }) => (
                <div key={id} class="KeysDialog-row" data-command={id} data-keys={JSON.stringify(keys)}>
                  <dt>{text()}</dt>
                  <dd class="KeysDialog-keys">
                    {keys.map((each) => (
                      <Keys key={each} keys={each} isSpoken />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p>
        <a href={helpPath} target="_blank" rel="noopener">
          {t('keys.help')}
        </a>
      </p>
    </Dialog>
  )
}
