/**
 * Expected behaviour of a browser: it saves the file, shows it as a picture or document, or does either.
 * `refused` files are not accepted at all.
 */
export type Handling = 'saved' | 'shown' | 'either' | 'refused'

export interface HostileFile {
  title: string
  bytes: Uint8Array
  fileName: string
  /** The type that the form declares. */
  contentType: string
  handling: Handling
}

/** Where a file that runs reports to, and what it prints. */
export interface Trap {
  /** Origin of a server that counts requests. */
  url: string
  word: string
}

/** Returns a script that leaves as many traces as it can. */
export function trapScript({ url, word }: Trap): string {
  const attempts = [
    `console.log('${word}')`,
    `postMessage('${word}')`,
    `document.title='${word}'`,
    `fetch('${url}/fetch')`,
    `new Image().src='${url}/image'`,
    `top.postMessage('${word}','*')`,
    `importScripts('${url}/import')`,
    `alert('${word}')`,
  ]
  return attempts.map((attempt) => `try{${attempt}}catch(e){}`).join(';')
}
