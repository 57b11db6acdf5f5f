import { type Html, html } from '../../platform/html.ts'
import type { Problems } from './join.ts'

interface Field {
  name: string
  label: string
  type: string
  value?: string
  autocomplete: string
  hint?: string
  problem?: string | undefined
  readonly?: boolean
  maxLength?: number
}

/** Renders a field. Hint and problem are linked to the input for screen readers. */
function field(given: Field): Html {
  const { name, label, type, value = '', autocomplete, hint, problem, readonly, maxLength } = given
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ')
  return html`<label for="${name}">${label}</label>
    <input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" required
      ${maxLength !== undefined && html`maxlength="${maxLength}"`} ${readonly && html`readonly`}
      ${problem !== undefined && html`aria-invalid="true"`}
      ${described !== '' && html`aria-describedby="${described}"`}>
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${problem !== undefined && html`<p class="wrong" role="alert" id="${name}-problem">${problem}</p>`}`
}

export interface AddressForm {
  value?: string
  problem?: string | undefined
}

/** Renders the form that asks for an e-mail address. */
export function addressForm({ value = '', problem }: AddressForm): Html {
  const address = {
    name: 'email',
    label: 'E-mail address',
    type: 'email',
    autocomplete: 'email',
    maxLength: 254,
  }
  return html`<p>Enter your e-mail address. We will send you a link to continue.</p>
    <form method="post">${field({ ...address, value, problem })}
    <button>Send me the link</button></form>`
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

export function joinForm(given: JoinForm): Html {
  const { email, invitedBy, full_name, groups, chosen, problems, termsUrl } = given
  // Password managers store the password with this user name.
  const address = { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' }
  const name = { name: 'full_name', label: 'Your name', type: 'text', autocomplete: 'name', maxLength: 100 }
  const password = { name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password' }
  const choices = groups.map((group) => choice(group, chosen))
  return html`${invitedBy !== undefined && html`<p>${invitedBy} invited you.</p>`}
    <form method="post">
    ${field({ ...address, value: email, readonly: true })}
    ${field({ ...name, value: full_name, hint: 'Other people will see this name.', problem: problems.full_name })}
    ${field({ ...password, hint: 'Several uncommon words make a good password.', problem: problems.password })}
    ${choices.length > 0 && html`<fieldset><legend>Which groups of streams do you want to join?</legend>${choices}</fieldset>`}
    ${termsUrl !== undefined && terms(termsUrl, problems.terms)}
    <button>Join</button></form>`
}

function choice({ id, name, description }: JoinForm['groups'][number], chosen: ReadonlySet<number>): Html {
  return html`<label class="choice"><input type="checkbox" name="group_${id}" ${chosen.has(id) && html`checked`}>
    <span>${name}</span>${description !== '' && html`<small>${description}</small>`}</label>`
}

function terms(url: string, problem: string | undefined): Html {
  return html`<label class="choice"><input type="checkbox" name="terms" required
      ${problem !== undefined && html`aria-invalid="true" aria-describedby="terms-problem"`}>
    <span>I accept the <a href="${url}" target="_blank" rel="noopener noreferrer">terms</a>.</span></label>
    ${problem !== undefined && html`<p class="wrong" role="alert" id="terms-problem">${problem}</p>`}`
}
