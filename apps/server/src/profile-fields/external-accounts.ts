/** External accounts that are predefined; administrators define others by a URL pattern. */
export const externalAccounts: Record<string, { name: string; hint: string; url_pattern: string }> = {
  twitter: {
    name: 'Twitter',
    hint: 'Your name on Twitter',
    url_pattern: 'https://twitter.com/%(username)s',
  },
  github: {
    name: 'GitHub',
    hint: 'Your name on GitHub',
    url_pattern: 'https://github.com/%(username)s',
  },
}
