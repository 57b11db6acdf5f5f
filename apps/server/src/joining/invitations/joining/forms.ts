import type { Translate } from '@oxbow/texts'
import { type Html, html } from '../../../platform/html.ts'
import { choice, field, form } from '../../../platform/pages/fields.ts'
import { isolate, rich } from '../../../platform/pages/texts.ts'
import { minPasswordLength } from '../../../sign-in/password-strength.ts'
import type { Problems } from './join.ts'

export interface AddressForm {
  value?: string
  problem?: string | undefined
  /** Whether the address is confirmed by an e-mail. */
  isConfirmed: boolean
}

/** Renders the form that asks for an e-mail address. */
export function addressForm(t: Translate, { value = '', problem, isConfirmed }: AddressForm): Html {
  const address = { name: 'email', label: t('field.email'), type: 'email', autocomplete: 'email' } as const
  return html`<p>${t(isConfirmed ? 'join.ask' : 'join.ask_without_mail')}</p>
    ${form(t(isConfirmed ? 'join.submit' : 'join.continue'), field({ ...address, maxLength: 254, isFirst: true, value, problem }))}
    <p class="Page-quiet"><a href="/login">${t('join.have_account')}</a></p>`
}

export interface JoinForm {
  email: string
  invitedBy: string | undefined
  full_name: string
  groups: readonly { id: number; name: string; description: string }[]
  chosen: ReadonlySet<number>
  termsUrl: string | undefined
  problems: Problems
}

/** Renders the form that creates the account. */
export function joinForm(t: Translate, values: JoinForm): Html {
  const { email, invitedBy, full_name, groups, chosen, termsUrl } = values
  const { full_name: nameProblem, password: passwordProblem, terms: termsProblem } = values.problems
  // Password managers store the password with this user name.
  const address = { name: 'email', label: t('field.email'), type: 'email', autocomplete: 'username' } as const
  const name = { name: 'full_name', label: t('account.name'), type: 'text', autocomplete: 'name' } as const
  const password = { label: t('field.password'), type: 'password', autocomplete: 'new-password' } as const
  const choices = groups.map(({ id, name: label, description }) =>
    choice({ name: `group_${id}`, label, hint: description, isChecked: chosen.has(id) }),
  )
  const fields = html`${field({ ...address, value: email, isReadOnly: true })}
    ${field({
      ...name,
      maxLength: 100,
      isFirst: !passwordProblem && !termsProblem,
      value: full_name,
      hint: t('account.name_hint'),
      problem: nameProblem && t(nameProblem),
    })}
    ${field({
      ...password,
      name: 'password',
      hint: t('account.password_hint', { count: minPasswordLength }),
      problem: passwordProblem && t(passwordProblem),
    })}
    ${choices.length > 0 && html`<fieldset><legend class="Choices-legend">${t('account.groups')}</legend>${choices}</fieldset>`}
    ${
      termsUrl !== undefined &&
      choice({
        name: 'terms',
        label: rich(t, 'account.terms', {
          link: (text) => html`<a href="${termsUrl}" target="_blank" rel="noopener noreferrer">${text}</a>`,
        }),
        isRequired: true,
        problem: termsProblem && t(termsProblem),
      })
    }`
  return html`${invitedBy !== undefined && html`<p>${rich(t, 'account.invited', { name: isolate(invitedBy) })}</p>`}
    ${form(t('account.submit'), fields)}`
}
