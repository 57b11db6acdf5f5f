import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import { findLink, goodPassword } from '@oxbow/testkit/calls/joining'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { bySize } from '@oxbow/testkit/size'
import type { Page } from 'playwright-core'
import { createResetLinkByOperator } from '../../src/operators/password-reset.ts'
import { startSite, submitLogin } from './start-site.ts'

const site = await startSite()
after(() => site[Symbol.asyncDispose]())
const { world, mail, url } = site
const { owner, database } = world
const iris = await world.person('iris')
const gone = await world.person('gone')
await owner.users.deactivate({ user_id: gone.user_id })
const garden = await world.stream('garden')
await owner.defaultStreams.createGroup({
  group_name: 'Keepers',
  description: 'Bees and hives',
  stream_names: ['garden'],
})
await owner.invitations.send({ invitee_emails: 'new@elsewhere.example', stream_ids: [garden.stream_id] })
const confirmPath = await findLink(mail, 'new@elsewhere.example')
const { invite_link } = await owner.invitations.createLink({})
const joinPath = new URL(invite_link).pathname
await iris.users.updateSettings({ email: 'iris2@elsewhere.example' })
const { text: change } = await mail.waitForEmail('iris2@elsewhere.example')
const changePath = /(\/accounts\/confirm_new_email\/\w+)/.exec(change)?.[1] ?? ''
const { link: resetPath } = await createResetLinkByOperator(world.nodes.a.app, {
  subdomain: '',
  email: owner.email,
  origin: '',
})
await setOrganizationRules(
  world,
  "description = 'We grow **plants**, and talk about [them](https://garden.example/).'",
)

let count = 0

/** A page in one of its states: how to open it, and the heading that it must show. */
interface State {
  name: string
  heading: RegExp
  open(page: Page): Promise<unknown>
  /** Matches a text of the page in German. */
  german?: RegExp
}

const goTo = (path: string) => (page: Page) => page.goto(url + path)
/** Opens a page and submits its first form, or the one with this field, with the given values. */
const submit = (path: string, values: Record<string, string>) => async (page: Page) => {
  await page.goto(url + path)
  for (const [name, value] of Object.entries(values)) await page.fill(`[name=${name}]`, value)
  // Turns off the browser's validation, so that the server has to refuse.
  await page.evaluate('for (const form of document.forms) form.noValidate = true')
  await page.click(`form:has([name=${Object.keys(values)[0]}]) button`)
}
/** Opens the status page again and again until it shows all these texts, in English or German. */
const goToStatus = (page: Page, ...texts: RegExp[]) =>
  eventually(async () => {
    await page.goto(`${url}/status`)
    const shown = (await page.textContent('body')) ?? ''
    return texts.every((text) => text.test(shown))
  })
/** Opens a page as a person who is signed in. */
const signedIn = (path: string) => async (page: Page) => {
  await page.goto(`${url}/login?next=${encodeURIComponent(path)}`)
  await submitLogin(page, iris)
}
/** Opens a page while the organization has other settings, and restores the usual ones. */
const whileRules = (rules: string, usually: string, open: State['open']) => async (page: Page) => {
  await setOrganizationRules(world, rules)
  await open(page)
  await setOrganizationRules(world, usually)
}
/** Opens a page while the table of organizations has only the rows that meet an SQL condition. */
const whileOrganizations = (condition: string, open: State['open']) => async (page: Page) => {
  await database.query('alter table organization rename to organization_hidden')
  await database.query(`create view organization as select * from organization_hidden where ${condition}`)
  await open(page)
  await database.query('drop view organization')
  await database.query('alter table organization_hidden rename to organization')
}
await database.query(`create function fail(code text) returns boolean language plpgsql as $$
  begin raise exception 'broken' using errcode = code; end $$`)

const states: State[] = [
  { name: 'login', heading: /^Sign in to The Garden$/, german: /Passwort vergessen/, open: goTo('/login') },
  { name: 'login-signed-out', heading: /^Sign in/, open: goTo('/login?signed_out') },
  {
    name: 'login-wrong',
    heading: /^Sign in/,
    german: /ist falsch/,
    open: submit('/login', { username: 'nobody@x.example', password: 'wrong' }),
  },
  {
    name: 'login-deactivated-account',
    heading: /^Sign in/,
    open: submit('/login', { username: gone.email, password: gone.password }),
  },
  {
    name: 'login-too-many',
    heading: /^Sign in/,
    german: /Zu viele Versuche/,
    open: async (page) => {
      await database.query(
        `insert into sign_in_failure (organization_id, username, network, judged_at)
        select $1, 'often@x.example', '127.0.0.1/32', now() from generate_series(1, 8)`,
        [world.organization_id],
      )
      await submit('/login', { username: 'often@x.example', password: 'wrong' })(page)
      await database.query('delete from sign_in_failure')
    },
  },
  {
    name: 'login-no-passwords',
    heading: /^Sign in/,
    open: whileRules(
      "disabled_authentication_methods = '{Email}'",
      "disabled_authentication_methods = '{}'",
      goTo('/login'),
    ),
  },
  {
    name: 'login-open',
    heading: /^Sign in/,
    open: whileRules('invite_required = false', 'invite_required = true', goTo('/login')),
  },
  {
    name: 'closed',
    heading: /^The Garden is closed$/,
    open: whileRules('deactivated_at = now()', 'deactivated_at = null', goTo('/login')),
  },
  {
    name: 'front',
    heading: /^Team chat at chat\.example/,
    german: /eigene Adresse/,
    open: whileRules("subdomain = 'garden'", "subdomain = ''", goTo('/')),
  },
  {
    name: 'front-empty',
    heading: /^Team chat at chat\.example/,
    german: /noch keine Organisation/,
    open: whileOrganizations('false', goTo('/')),
  },
  {
    name: 'unknown-organization',
    heading: /^No organization here$/,
    open: (page) => page.goto(site.urlOf('nothing')),
  },
  {
    name: 'finder',
    heading: /^Find your organization$/,
    german: /Ich kenne ihre Adresse nicht/,
    open: goTo('/accounts/go'),
  },
  {
    name: 'finder-unknown',
    heading: /^Find your/,
    open: submit('/accounts/go', { organization: 'nothing' }),
  },
  { name: 'finder-malformed', heading: /^Find your/, open: submit('/accounts/go', { email: 'nonsense' }) },
  {
    name: 'finder-sent',
    heading: /^Check your e-mail$/,
    open: submit('/accounts/go', { email: 'nobody@x.example' }),
  },
  { name: 'join', heading: /^Join The Garden$/, german: /Link schicken/, open: goTo(joinPath) },
  { name: 'join-malformed', heading: /^Join The Garden$/, open: submit(joinPath, { email: 'nonsense' }) },
  {
    name: 'join-sent',
    heading: /^Check your e-mail$/,
    open: submit(joinPath, { email: 'nobody@x.example' }),
  },
  { name: 'join-closed', heading: /^You cannot join here$/, open: goTo('/register/') },
  { name: 'account', heading: /^Join The Garden$/, german: /hat Sie eingeladen/, open: goTo(confirmPath) },
  {
    name: 'account-problems',
    heading: /^Join The Garden$/,
    open: submit(confirmPath, { full_name: '*', password: 'a' }),
  },
  { name: 'first-account-invalid', heading: /^This link is not valid$/, open: goTo('/accounts/first/x') },
  { name: 'account-invalid', heading: /^This link is not valid$/, open: goTo('/accounts/do_confirm/x') },
  {
    name: 'reset',
    heading: /^Forgot your password\?$/,
    german: /neues Passwort/,
    open: goTo('/accounts/password/reset'),
  },
  {
    name: 'reset-sent',
    heading: /^Check your e-mail$/,
    open: submit('/accounts/password/reset', { email: 'nobody@x.example' }),
  },
  { name: 'reset-set', heading: /^Set a new password$/, open: goTo(resetPath) },
  { name: 'reset-weak', heading: /^Set a new password$/, open: submit(resetPath, { password: 'a' }) },
  { name: 'reset-invalid', heading: /^This link is not valid$/, open: goTo('/accounts/password/reset/x') },
  {
    name: 'reset-malformed',
    heading: /^Forgot your password\?$/,
    open: submit('/accounts/password/reset', { email: 'iris' }),
  },
  {
    name: 'reset-refused',
    heading: /^You cannot set a new password here$/,
    german: /nicht mit einem Passwort/,
    open: whileRules(
      "disabled_authentication_methods = '{Email}'",
      "disabled_authentication_methods = '{}'",
      goTo('/accounts/password/reset'),
    ),
  },
  {
    name: 'reset-done',
    heading: /^Sign in to The Garden$/,
    german: /in allen Browsern abgemeldet/,
    open: async (page) => {
      const { email } = await world.person(`forgetful${count++}`)
      const account = { subdomain: '', email, origin: '' }
      const { link } = await createResetLinkByOperator(world.nodes.a.app, account)
      await submit(link, { password: goodPassword })(page)
    },
  },
  {
    name: 'address',
    heading: /^Your e-mail address$/,
    german: /das ist meine Adresse/,
    open: goTo(changePath),
  },
  {
    name: 'address-gone',
    heading: /^This link is not valid$/,
    open: goTo('/accounts/confirm_new_email/x'),
  },
  {
    name: 'error-file',
    heading: /^There is nothing here$/,
    german: /Diese Datei gibt es nicht/,
    open: signedIn('/user_uploads/1/aa/bb/cup.png'),
  },
  {
    name: 'status',
    heading: /^All systems work$/,
    german: /Alle Teile des Servers funktionieren/,
    open: (page) => goToStatus(page, /All systems work|Alle Systeme funktionieren/),
  },
  {
    name: 'status-degraded',
    heading: /^Something does not work as usual$/,
    german: /kommen vielleicht später/,
    open: async (page) => {
      await database.query('update server set jobs_held_since = now()')
      await goToStatus(
        page,
        /Something does not work as usual|Etwas funktioniert nicht wie gewohnt/,
        /may arrive late|kommen vielleicht später/,
      )
      await database.query('update server set jobs_held_since = null')
    },
  },
  { name: 'error-401', heading: /^Sign in first$/, open: goTo('/user_uploads/1/aa/bb/cup.png') },
  {
    name: 'error-404',
    heading: /^There is nothing here$/,
    german: /falsch geschrieben/,
    open: goTo('/nowhere'),
  },
  { name: 'error-405', heading: /^This does not work here$/, open: goTo('/logout') },
  {
    name: 'error-500',
    heading: /^Something went wrong$/,
    german: /Auf dem Server ist ein Fehler aufgetreten/,
    open: whileOrganizations("fail('XX000')", goTo('/')),
  },
  {
    name: 'error-503',
    heading: /^The server cannot answer now$/,
    open: whileOrganizations("fail('57P03')", goTo('/')),
  },
  { name: 'invite', heading: /^Invite people$/, german: /durch Kommas/, open: signedIn('/invite') },
  {
    name: 'invite-malformed',
    heading: /^Invite people$/,
    open: async (page) => {
      await signedIn('/invite')(page)
      await submit('/invite', { emails: 'nonsense' })(page)
    },
  },
  {
    name: 'home',
    heading: /^Welcome to The Garden, Iris Gardener$/,
    german: /fehlt die Weboberfläche/,
    open: async (page) => {
      await page.goto(`${url}/login`)
      await submitLogin(page, iris)
    },
  },
]

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Folder to which screenshots of all pages are written, if it is set. */
const pictures = process.env.OXBOW_PAGE_PICTURES
if (pictures) mkdirSync(pictures, { recursive: true })

type Rules = 'all' | 'colours'

const appearances = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [
    { width: 1280, height: 800 },
    { width: 360, height: 640 },
  ].map((viewport) => ({ colorScheme, viewport })),
)

/**
 * Returns the appearances in which a page is checked, with the rules of axe for each. The gate runs all rules in
 * one appearance, and otherwise checks only the width of the page in a narrow window. The long lane runs all
 * rules in light mode, and only the rules about colours in dark mode, because nothing else differs.
 */
function chooseAppearances(index: number): ((typeof appearances)[number] & { rules?: Rules })[] {
  const chosen = appearances.filter((_, place) => place === index % appearances.length)
  const narrow = appearances.filter(({ viewport }) => viewport.width === 360).slice(0, 1)
  return bySize({
    gate: [...narrow, ...chosen.map((appearance) => ({ ...appearance, rules: 'all' as const }))],
    long: appearances.map((appearance) => ({
      ...appearance,
      rules: appearance.colorScheme === 'light' ? ('all' as const) : ('colours' as const),
    })),
  })
}

// Scripts are enabled only for axe, which runs in the pages. The pages themselves have no scripts.
const page = await site.openWindow({ javaScriptEnabled: true })

for (const [index, { name, heading, open }] of states.entries()) {
  test(`the page ${name} is accessible in its themes and window sizes`, async () => {
    await page.context().clearCookies()
    await open(page)
    const title = (await page.textContent('h1')) ?? ''
    assert.match(title, heading)
    assert.equal(await page.locator('script, style, [style]').count(), 0)
    assert.ok((await page.locator('a[href], form').count()) > 0, 'the page leads nowhere')
    await page.evaluate(axeSource)
    for (const { colorScheme, viewport, rules } of chooseAppearances(index)) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      if (pictures)
        await page.screenshot({
          path: `${pictures}/${name}-${colorScheme}-${viewport.width}.png`,
          fullPage: true,
        })
      const at = `${colorScheme} ${viewport.width}`
      assert.deepEqual(await findHorizontalScrolling(page), [], at)
      if (rules) assert.deepEqual(await findProblems(page, rules), [], at)
    }
  })
}

async function findProblems(page: Page, rules: Rules): Promise<string[]> {
  const only = rules === 'all' ? '' : "runOnly: ['cat.color', 'cat.sensory-and-visual-cues'],"
  // The page returns only texts, because Playwright takes longer to copy the results of axe than axe to find them.
  return page.evaluate<string[]>(`(async () => {
    const { violations, passes } = await axe.run({ ${only} resultTypes: ['violations'], selectors: false })
    return [
      ...(passes.some(({ id }) => id === 'color-contrast') ? [] : ['the contrast of colours was not measured']),
      ...violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')),
    ]
  })()`)
}

/** Reports a page that is wider than its browser window. */
async function findHorizontalScrolling(page: Page): Promise<string[]> {
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  return isWide ? ['the page scrolls sideways'] : []
}

/** Pages of the documentation. The first two are long, so axe checks only the others. */
const documents = [
  '/api/docs',
  '/api/markdown',
  '/integrations',
  '/integrations/github',
  '/help',
  '/help/finding',
]

for (const [index, path] of documents.entries())
  test(`the document ${path} fits the browser window and has the style of the other pages`, async () => {
    await page.goto(url + path)
    assert.equal(await page.locator('style, [style]').count(), 0)
    if (index > 1) await page.evaluate(axeSource)
    for (const { colorScheme, viewport, rules } of chooseAppearances(index)) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      if (pictures)
        await page.screenshot({
          path: `${pictures}/document-${index}-${colorScheme}-${viewport.width}.png`,
        })
      const at = `${colorScheme} ${viewport.width}`
      assert.deepEqual(await findHorizontalScrolling(page), [], at)
      if (rules && index > 1) assert.deepEqual(await findProblems(page, rules), [], at)
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      assert.equal(background, { light: 'rgb(255, 255, 255)', dark: 'rgb(23, 28, 29)' }[colorScheme])
    }
  })

const { en, de } = Object.fromEntries(
  ['en', 'de'].map((language) => {
    const file = new URL(`../../../../packages/texts/messages/${language}.json`, import.meta.url)
    return [language, Object.values<string>(JSON.parse(readFileSync(file, 'utf8')))]
  }),
) as Record<'en' | 'de', string[]>
/** English texts without placeholders that occur in no German text. */
const english = en.filter((text) => !/[{<]/.test(text) && !de.some((germanText) => germanText.includes(text)))

test('pages are in German for browsers that request it', async () => {
  const phone = { width: 360, height: 640 }
  const german = await site.openWindow({ javaScriptEnabled: true, locale: 'de-AT', viewport: phone })
  for (const { name, german: expected, open } of states) {
    if (!expected) continue
    await german.context().clearCookies()
    await open(german)
    assert.equal(await german.getAttribute('html', 'lang'), 'de')
    const text = (await german.textContent('body')) ?? ''
    assert.match(text, expected, name)
    assert.deepEqual(
      english.filter((sentence) => text.includes(sentence)),
      [],
      name,
    )
    assert.deepEqual(await findHorizontalScrolling(german), [], name)
    if (pictures) await german.screenshot({ path: `${pictures}/${name}-german.png`, fullPage: true })
  }
})

test('no page violates its content security policy', () => {
  assert.deepEqual(site.violations, [])
})
