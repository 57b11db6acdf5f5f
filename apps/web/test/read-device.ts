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
