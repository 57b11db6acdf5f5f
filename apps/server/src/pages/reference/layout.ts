import { type Html, html } from '../../platform/html.ts'
import { defaultIconUrl } from '../../platform/pages/send-page.ts'
import { referenceStyles } from '../../platform/pages/styles.ts'

/** Content security policy of pages that load only the style sheet and pictures of this server. */
export const referencePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

export interface ReferenceContent {
  /** Title of the window. */
  title: string
  /** The heading, and links to the sections of the page or to related pages. */
  navigation: Html
  content: Html
  /** A script at the end of the page. The content security policy must allow it. */
  script?: Html
}

/** Renders a page of the documentation, which is in English. */
export function renderReference({ title, navigation, content, script }: ReferenceContent): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${referenceStyles.url}">
<link rel="icon" href="${defaultIconUrl}">
</head>
<body class="Reference">
<nav class="Reference-nav" aria-label="Contents">${navigation}<p><a href="/">Start page</a></p></nav>
<main class="Reference-main">
${content}
</main>
${script && html`<script>${script}</script>`}
</body>
</html>
`.text
}
