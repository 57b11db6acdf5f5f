import { type Html, html } from './html.ts'

const style = html`<style>
  :root { color-scheme: light dark; --line: #767676; --accent: #1f5fbf; --wrong: #b3261e }
  @media (prefers-color-scheme: dark) { :root { --line: #8f8f8f; --accent: #8ab4f8; --wrong: #ff8a80 } }
  * { box-sizing: border-box }
  body { font: 17px/1.5 system-ui, sans-serif; margin: 0; padding: 1.5em 1em }
  main { max-width: 28em; margin: 8vh auto }
  h1 { font-size: 1.6em; line-height: 1.2; margin: 0 0 .6em; overflow-wrap: anywhere }
  p { overflow-wrap: anywhere }
  label { display: block; font-weight: 600; margin-top: 1.1em }
  input:not([type=checkbox]) { font: inherit; width: 100%; padding: .5em .6em; margin-top: .2em; border: 1px solid var(--line); border-radius: .3em }
  input[readonly] { border-style: dashed }
  input[aria-invalid] { border-color: var(--wrong) }
  fieldset { border: 1px solid var(--line); border-radius: .3em; margin: 1.3em 0 0; padding: .4em .9em .9em }
  legend { font-weight: 600 }
  fieldset + .choice { margin-top: 1.2em }
  .choice { display: grid; grid-template-columns: auto 1fr; gap: 0 .6em; font-weight: 400; margin-top: .6em; align-items: baseline }
  .choice small { grid-column: 2 }
  .hint { margin: .2em 0 0; font-size: .85em }
  .wrong { color: var(--wrong); margin: .2em 0 0; font-size: .9em }
  button { font: inherit; font-weight: 600; padding: .6em 1.4em; margin-top: 1.5em; border: 0; border-radius: .3em; background: var(--accent); color: Canvas; cursor: pointer }
  a { color: var(--accent) }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
</style>`

/** Renders a page that works without scripts, at any width. */
export function renderPage(title: string, content: Html): string {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
    <title>${title}</title>${style}</head>
    <body><main><h1>${title}</h1>${content}</main></body></html>`.text
}
