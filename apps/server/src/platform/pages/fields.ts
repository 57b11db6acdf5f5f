import { type Html, html } from '../html.ts'

export interface Field {
  name: string
  label: string
  type: 'text' | 'email' | 'password'
  autocomplete: string
  value?: string
  hint?: string | undefined
  /** The reason why the value was refused. */
  problem?: string | undefined
  /** Text that follows the value, such as a domain. */
  suffix?: string | undefined
  isReadOnly?: boolean
  /** Whether the field has the focus when the page opens. A field with a problem requests the focus too. */
  isFirst?: boolean
  maxLength?: number
}

/** Renders a field that must be filled in. Hint and problem are linked to the input for screen readers. */
export function field(options: Field): Html {
  const { name, label, type, value = '', autocomplete, hint, problem, suffix, maxLength } = options
  const described = [suffix && `${name}-suffix`, hint && `${name}-hint`, problem && `${name}-problem`]
    .filter(Boolean)
    .join(' ')
  const input = html`<input class="Field-input" id="${name}" name="${name}" type="${type}" value="${value}"
    autocomplete="${autocomplete}" required${isUncapitalized(options) && html` autocapitalize="none" spellcheck="false"`}
    ${maxLength !== undefined && html`maxlength="${maxLength}"`} ${options.isReadOnly && html`readonly`}
    ${(options.isFirst || problem !== undefined) && html`autofocus`} ${problem !== undefined && html`aria-invalid="true"`}
    ${described !== '' && html`aria-describedby="${described}"`}>`
  return html`<div class="Field"><label class="Field-label" for="${name}">${label}</label>
    ${suffix === undefined ? input : html`<div class="Field-row">${input}<span class="Field-suffix" id="${name}-suffix">${suffix}</span></div>`}
    ${hint !== undefined && html`<p class="Field-hint" id="${name}-hint">${hint}</p>`}
    ${problem !== undefined && html`<p class="Field-problem" role="alert" id="${name}-problem">${problem}</p>`}</div>`
}

/** Phones capitalize and correct words. Addresses and subdomains must stay as typed. */
const isUncapitalized = ({ type, suffix }: Field): boolean => type === 'email' || suffix !== undefined

export interface Choice {
  name: string
  label: string | Html
  hint?: string
  problem?: string | undefined
  isChecked?: boolean
  isRequired?: boolean
}

/** Renders a checkbox. */
export function choice({ name, label, hint = '', problem, isChecked, isRequired }: Choice): Html {
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ')
  return html`<div><label class="Choice"><input class="Choice-box" type="checkbox" name="${name}"
      ${isChecked && html`checked`} ${isRequired && html`required`} ${problem !== undefined && html`autofocus aria-invalid="true"`}
      ${described !== '' && html`aria-describedby="${described}"`}>
    <span>${label}</span>${hint !== '' && html`<span class="Choice-hint" id="${name}-hint">${hint}</span>`}</label>
    ${problem !== undefined && html`<p class="Field-problem" role="alert" id="${name}-problem">${problem}</p>`}</div>`
}

/**
 * Renders a form that is posted to the URL of the page, so that its query and fragment are kept.
 */
export function form(button: string, content: Html): Html {
  return html`<form class="Page-form" method="post">${content}<button class="Button">${button}</button></form>`
}

/** Renders a part of a page with a heading. */
export const part = (title: string, content: Html): Html =>
  html`<section class="Page-part"><h2>${title}</h2>${content}</section>`

/** Renders a highlighted remark. Screen readers read problems at once. */
export function renderNotice(kind: 'danger' | 'warning' | 'success' | 'info', text: string | Html): Html {
  const role = kind === 'danger' ? 'alert' : 'status'
  return html`<p class="Notice Notice-${kind}" role="${role}">${text}</p>`
}
