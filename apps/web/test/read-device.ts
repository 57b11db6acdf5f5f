import type { Page } from 'playwright-core'

/** Reads all records of one store in the client's database for an account. */
export const readStore = (page: Page, { user_id }: { user_id: number }, store: string): Promise<unknown[]> =>
  page.evaluate(`new Promise((resolve) => {
    const request = indexedDB.open('oxbow/${user_id}')
    // Aborts, so that a database that does not exist is not created.
    request.onupgradeneeded = () => request.transaction.abort()
    request.onerror = () => resolve([])
    request.onsuccess = () => {
      const database = request.result
      const all = database.transaction('${store}').objectStore('${store}').getAll()
      all.onsuccess = () => {
        database.close()
        resolve(all.result)
      }
    }
  })`)

/** Kills the process of a page, as a crash or a lack of memory would, and closes its tab. */
export async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  session.send('Page.crash').catch(() => {})
  await crashed
  // Not awaited: a page without a process may never confirm that it is closed.
  page.close().catch(() => {})
}

/** Reads everything that a site has stored in the browser, as one text: databases, web storage and caches. */
export const readWholeDevice = (page: Page): Promise<string> =>
  page.evaluate(`(async () => {
    const resultOf = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const found = [{ ...localStorage }, { ...sessionStorage }]
    for (const { name } of await indexedDB.databases()) {
      const database = await resultOf(indexedDB.open(name))
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store)
        found.push(await resultOf(objects.getAllKeys()), await resultOf(objects.getAll()))
      }
      database.close()
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const response = await cache.match(request)
        found.push(request.url, [...response.headers], await response.text())
      }
    }
    return JSON.stringify(found)
  })()`)
