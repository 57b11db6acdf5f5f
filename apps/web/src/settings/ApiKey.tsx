import { useSignal } from '@preact/signals'
import { FormEnd } from '../frame/FormEnd.tsx'
import { Group } from '../frame/Group.tsx'
import { Secret } from '../frame/Secret.tsx'
import { useForm } from '../frame/use-form.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { fetchApiKey, replaceApiKey } from './change-account.ts'
import { explainPassword } from './explain-password.ts'

/** The API key of the account. It is shown after the password was entered, until the page is left. */
export function ApiKey() {
  const key = useSignal<string | undefined>(undefined)
  const asking = useSignal<'show' | 'replace' | undefined>(undefined)
  const close = () => {
    asking.value = undefined
  }
  return (
    <Group title={t('api_key.title')} hint={t('api_key.hint')}>
      <Secret
        value={key.value}
        action={t('api_key.show')}
        copyLabel={t('api_key.copy')}
        onShow={() => {
          asking.value = 'show'
        }}
        onHide={() => {
          key.value = undefined
        }}
      >
        <Button
          look="danger"
          icon="refresh-cw"
          onClick={() => {
            asking.value = 'replace'
          }}
        >
          {t('api_key.replace')}
        </Button>
      </Secret>
      {asking.value && (
        <AskDialog
          isReplacing={asking.value === 'replace'}
          onClose={close}
          onKey={(fetched) => {
            key.value = fetched
            close()
          }}
        />
      )}
    </Group>
  )
}

interface AskDialogProps {
  isReplacing: boolean
  onClose: () => void
  onKey: (key: string) => void
}

/** Asks for the password, then shows the key or replaces it. */
function AskDialog({ isReplacing, onClose, onKey }: AskDialogProps) {
  return (
    <Dialog title={isReplacing ? t('api_key.replace_title') : t('api_key.show')} onClose={onClose}>
      <div class="Group">
        <p>{isReplacing ? t('api_key.replace_hint') : t('api_key.show_hint')}</p>
        <PasswordForm
          action={isReplacing ? t('api_key.replace') : t('api_key.show')}
          onPassword={async (password) =>
            onKey(await (isReplacing ? replaceApiKey(password) : fetchApiKey(password)))
          }
        />
      </div>
    </Dialog>
  )
}

function PasswordForm({
  action,
  onPassword,
}: {
  action: string
  onPassword: (password: string) => Promise<void>
}) {
  const form = useForm<'password'>({
    async submit({ password }) {
      await onPassword(password)
      return undefined
    },
    findProblems(refusal) {
      const password = explainPassword(refusal)
      return password ? { password } : undefined
    },
  })
  return (
    <form class="Group" {...form.attributes}>
      <Field label={t('account.password_current')} problem={form.problems.password}>
        <input type="password" name="password" autocomplete="current-password" />
      </Field>
      <FormEnd form={form} action={action} />
    </form>
  )
}
