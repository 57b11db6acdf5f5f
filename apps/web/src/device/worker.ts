import { effect, signal } from '@preact/signals'
import { afterPaint } from '../data/after-paint.ts'
import { connection } from '../data/connection.ts'
import { trustedWorkerUrl } from '../text/trusted.ts'

/** Whether a newer build is on the device and waits for a reload. */
export const isUpdateReady = signal(false)

/** A new build is asked for this often, besides after each interruption of the connection. */
const checkMs = 3_600_000

let registration: ServiceWorkerRegistration | undefined

/** Installs the service worker, which lets the client start without a network, and watches for new builds. */
export function startWorker(): void {
  const isDevelopment = (import.meta as { env?: { DEV?: boolean } }).env?.DEV
  if (!('serviceWorker' in navigator) || isDevelopment) return
  const hadWorker = navigator.serviceWorker.controller !== null
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    // Another tab has started the new build: this page is the old one from now on.
    if (hadWorker) isUpdateReady.value = true
  })
  afterPaint(() => void register())
}

async function register(): Promise<void> {
  // Browsers that refuse workers reject, and extensions that block them return nothing: the client works without.
  registration = await navigator.serviceWorker.register(trustedWorkerUrl()).catch(() => undefined)
  if (!registration) return
  registration.addEventListener('updatefound', watchUpdate)
  watchUpdate()
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage('store all')
  setInterval(check, checkMs)
  let wasTroubled = false
  effect(() => {
    const isTroubled = connection.value.status === 'troubled'
    if (wasTroubled && !isTroubled) check()
    wasTroubled = isTroubled
  })
}

/** A worker that is installed while another one is active is a new build. */
function watchUpdate(): void {
  const { installing, waiting } = registration ?? {}
  const note = () => {
    if (registration?.waiting && navigator.serviceWorker.controller) isUpdateReady.value = true
  }
  if (waiting) note()
  installing?.addEventListener('statechange', note)
}

function check(): void {
  registration?.update().catch(() => {})
}

/** Starts the new build. What was written is on the device or on the server, and comes back. */
export function applyUpdate(): void {
  const waiting = registration?.waiting
  if (!waiting) {
    location.reload()
    return
  }
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  waiting.postMessage('activate')
}
