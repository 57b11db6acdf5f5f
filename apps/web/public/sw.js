// The service worker: answers navigation to the client and requests for its files from the device, so that the client
// starts without a network. It never answers for the API. `scripts/build-client.ts` fills in the files of the build.
{
  /** Paths that the first screen needs, with the document first. */
  const shell = ['/']
  /** Paths of all other files of the build. */
  const others = []
  const build = 'none'
  const prefix = 'oxbow/'
  const cacheName = prefix + build
  const known = new Set([...shell, ...others])

  /** Stores files. The document depends on the session: a redirect to the sign-in page is not stored. */
  const store = async (paths) => {
    const cache = await caches.open(cacheName)
    const missing = []
    for (const path of paths) if (!(await cache.match(path, { ignoreVary: true }))) missing.push(path)
    await Promise.all(
      missing.map(async (path) => {
        const options = path === '/' ? { cache: 'no-cache', headers: { accept: 'text/html' } } : {}
        const response = await fetch(path, options)
        if (!response.ok || response.redirected) throw new Error(`${path} answers ${response.status}`)
        await cache.put(path, response)
      }),
    )
  }

  const removeOldBuilds = async () => {
    const names = await caches.keys()
    const old = names.filter((name) => name.startsWith(prefix) && name !== cacheName)
    await Promise.all(old.map((name) => caches.delete(name)))
    await clients.claim()
  }

  const answer = async (path, request) => {
    const cache = await caches.open(cacheName)
    return (await cache.match(path, { ignoreVary: true })) ?? fetch(request)
  }

  addEventListener('install', (event) => {
    // Requests to the API then bypass this worker. In Chromium, a request that starts a worker while a newer one
    // replaces it may delay the newer one for minutes.
    event.addRoutes?.({ condition: { urlPattern: '/api/*' }, source: 'network' })?.catch(() => {})
    event.waitUntil(store(shell))
  })
  addEventListener('activate', (event) => event.waitUntil(removeOldBuilds()))
  addEventListener('message', (event) => {
    // The page asks for it when the person wants the new version, or has time.
    if (event.data === 'activate') event.waitUntil(skipWaiting())
    if (event.data === 'store all') event.waitUntil(store(others).catch(() => {}))
  })
  const openNotification = async ({ hash }) => {
    const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
    const page =
      pages.find(({ focused }) => focused) ??
      pages.find(({ visibilityState }) => visibilityState === 'visible') ??
      pages[0]
    if (!page) return clients.openWindow(`/${hash}`)
    page.postMessage({ kind: 'open', hash })
    // A browser may refuse to raise the window; the message is open in it all the same.
    return page.focus().catch(() => {})
  }
  addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(openNotification(event.notification.data))
  })
  addEventListener('fetch', (event) => {
    const { request } = event
    const { origin, pathname } = new URL(request.url)
    if (request.method !== 'GET' || origin !== location.origin || !known.has(pathname)) return
    if (pathname === '/' && request.mode !== 'navigate') return
    event.respondWith(answer(pathname, request))
  })
}
