import { print } from '../report.ts'

/** Prints that the server serves requests. */
export function announce(url: string, processes = 1): void {
  // Unlike the address, `localhost` allows subdomains for organizations, and other commands print it too.
  const shown = url.replace('//127.0.0.1', '//localhost')
  const several = processes > 1 ? ` with ${processes} processes` : ''
  print(`Oxbow is running at ${shown}${several}  (API reference: ${shown}/api/docs)`)
}
