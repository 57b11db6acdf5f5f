// Runs before the first paint: sets what this device remembers of the look, and turns away browsers that are too old.
// `src/client/account/display.ts` writes these entries and sets the same attributes while the client runs.
{
  const root = document.documentElement
  const read = (name) => {
    try {
      return localStorage.getItem(`oxbow.${name}`)
    } catch {
      return null
    }
  }
  const theme = read('theme')
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
  if (read('contrast') === 'more' || matchMedia('(prefers-contrast: more)').matches)
    root.dataset.contrast = 'more'
  const size = Number(read('text-size'))
  if (size >= 12 && size <= 22) root.style.fontSize = `${size / 0.16}%`
  if (read('direction') === 'rtl') root.dir = 'rtl'
  if (!CSS.supports('color', 'light-dark(red, red)') || !('popover' in HTMLElement.prototype))
    root.dataset.unsupported = ''
}
