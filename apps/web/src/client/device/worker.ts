import { effect, signal } from '@preact/signals'
import { trustedWorkerUrl } from '../../text/trusted.ts'
import { afterPaint } from '../after-paint.ts'
import { connection } from '../connection.ts'

/** Whether a newer build is installed and waits for a reload. */
export const isUpdateReady = signal(false)

/**
 * Interval of checks for a new build. The client also checks after each interruption of the
 * connection.
 */
const checkMs = 3_600_000

let registration: ServiceWorkerRegistration | undefined

/** Installs the service worker, which lets the client start without a network, and watches for new builds. */
export function startWorker(): void {
  const isDevelopment = (import.meta as { env?: { DEV?: boolean } }).env?.DEV
  if (!('serviceWorker' in navigator) || isDevelopment) return
  const hadWorker = navigator.serviceWorker.controller !== null
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    // Another tab has activated the new build, so this page is outdated from now on.
    if (hadWorker) isUpdateReady.value = true
  })
  afterPaint(() => void register())
}

async function register(): Promise<void> {
  // If the browser refuses service workers, the call rejects; if an extension blocks them, it
  // returns nothing. The client works without a worker.
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

/**
 * Sets `isUpdateReady` when a worker is installed while another one is active. The installed worker
 * then belongs to a new build.
 */
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

/**
 * Activates the new build. Unsent texts are stored on the device or on the server, and are restored
 * afterwards; if other texts would be lost, the browser asks for confirmation before it reloads the page.
 */
export function applyUpdate(): void {
  const waiting = registration?.waiting
  if (!waiting) {
    location.reload()
    return
  }
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  waiting.postMessage('activate')
}
