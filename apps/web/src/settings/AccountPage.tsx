import {
  acceptsPasswords,
  isAdministrator,
  locksEmails,
  minPasswordLength,
  ownDeliveryEmail,
} from '../client/store.ts'
import { FormEnd } from '../frame/FormEnd.tsx'
import { Group } from '../frame/Group.tsx'
import { missingField, useForm } from '../frame/use-form.ts'
import { t } from '../text/t.ts'
import { Field } from '../ui/Field.tsx'
import { Notice } from '../ui/Notice.tsx'
import { ApiKey } from './ApiKey.tsx'
import { changeEmail, changePassword } from './change-account.ts'
import { explainPassword } from './explain-password.ts'

/** The settings page of the account's e-mail address, password and API key. */
export function AccountPage() {
  return (
    <>
      <Email />
      {acceptsPasswords.value && <Password />}
      {acceptsPasswords.value && <ApiKey />}
    </>
  )
}

function Email() {
  const form = useForm<'email' | 'password'>({
    async submit({ email, password }, element) {
      if (email.trim() === '') throw missingField('EMAIL_MISSING')
      await changeEmail(email, password)
      element.reset()
      return t('account.email_sent', { email: email.trim() })
    },
    findProblems(refusal) {
      const password = explainPassword(refusal)
      if (password) return { password }
      if (refusal.name === 'EMAIL_MISSING') return { email: t('account.email_missing') }
      const isAboutEmail = refusal.name?.startsWith('NEW_EMAIL') || refusal.name === 'EMAIL_WITH_PLUS'
      return isAboutEmail ? { email: refusal.reason } : undefined
    },
  })
  const email = ownDeliveryEmail.value ?? ''
  const isLocked = locksEmails.value && !isAdministrator.value
  return (
    <Group title={t('account.email')} hint={t('account.email_now', { email })}>
      {isLocked ? (
        <Notice>{t('account.email_locked')}</Notice>
      ) : (
        <form class="Group" {...form.attributes}>
          <Field label={t('account.email_new')} hint={t('account.email_hint')} problem={form.problems.email}>
            <input type="email" name="email" autocomplete="email" />
          </Field>
          <Field label={t('account.password_current')} problem={form.problems.password}>
            <input type="password" name="password" autocomplete="current-password" />
          </Field>
          <FormEnd form={form} action={t('account.email_change')} />
        </form>
      )}
    </Group>
  )
}

function Password() {
  const form = useForm<'old_password' | 'new_password'>({
    async submit({ old_password, new_password }, element) {
      if (new_password === '') throw missingField('NEW_PASSWORD_TOO_WEAK')
      await changePassword(old_password, new_password)
      element.reset()
      return t('account.password_changed')
    },
    findProblems(refusal) {
      const old_password = explainPassword(refusal)
      if (old_password) return { old_password }
      return refusal.name === 'NEW_PASSWORD_TOO_WEAK'
        ? { new_password: t('account.password_weak') }
        : undefined
    },
  })
  return (
    <Group title={t('account.password')} hint={t('account.password_hint')}>
      <form class="Group" {...form.attributes}>
        <input type="text" hidden autocomplete="username" value={ownDeliveryEmail.value} readOnly />
        <Field label={t('account.password_current')} problem={form.problems.old_password}>
          <input type="password" name="old_password" autocomplete="current-password" />
        </Field>
        <Field
          label={t('account.password_new')}
          hint={t('account.password_rule', { count: minPasswordLength.value ?? 6 })}
          problem={form.problems.new_password}
        >
          <input type="password" name="new_password" autocomplete="new-password" />
        </Field>
        <FormEnd form={form} action={t('account.password_change')} />
      </form>
    </Group>
  )
}
