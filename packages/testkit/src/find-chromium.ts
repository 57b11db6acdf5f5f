const wholeBrowser = '/usr/bin/chromium'

export interface ChromiumOptions {
  /** Whether the test needs a part that `chromium-headless-shell` lacks: notifications, or the viewer of PDF files. */
  needsWholeBrowser?: boolean
}

/** Returns the path of the Chromium that the variable CHROMIUM chooses; by default the whole browser. */
export function findChromium({ needsWholeBrowser = false }: ChromiumOptions = {}): string {
  const chosen = process.env.CHROMIUM ?? wholeBrowser
  return needsWholeBrowser && chosen.endsWith('headless-shell') ? wholeBrowser : chosen
}
