const wholeBrowser = '/usr/bin/chromium'

/** Flags for every test: Chromium runs as root and without a GPU, and makes no requests of its own. */
export const chromiumFlags: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface ChromiumOptions {
  /** Whether the test needs a part that `chromium-headless-shell` lacks: notifications, or the viewer of PDF files. */
  needsWholeBrowser?: boolean
}

/** Returns the path of the Chromium that the variable CHROMIUM chooses; by default the whole browser. */
export function findChromium({ needsWholeBrowser = false }: ChromiumOptions = {}): string {
  const chosen = process.env.CHROMIUM ?? wholeBrowser
  return needsWholeBrowser && chosen.endsWith('headless-shell') ? wholeBrowser : chosen
}
