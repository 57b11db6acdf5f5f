import { spawn } from 'node:child_process'

/** Opens a page in the user's browser, if there is a screen. Never fails. */
export function openBrowser(url: string): void {
  const isMac = process.platform === 'darwin'
  const hasScreen = isMac || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
  if (!process.stdout.isTTY || !hasScreen) return
  const child = spawn(isMac ? 'open' : 'xdg-open', [url], { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}
