/**
 * Expected behaviour of a browser: it saves the file, shows it as a picture or document, or either
 * of the two. `refused` files are not accepted by the server.
 */
type Handling = 'saved' | 'shown' | 'either' | 'refused'

export interface HostileFile {
  title: string
  bytes: Uint8Array
  fileName: string
  /** The type that the form declares. */
  contentType: string
  handling: Handling
  /**
   * Whether the browser may show the dialog of a PDF: Chromium's PDF reader runs scripts of a document in a sandbox,
   * which can show a dialog, and can reach neither the page, nor cookies, nor the network.
   */
  mayShowDialog?: boolean
}

/** The server that a file reports to if it runs, and the word that it prints. */
export interface Trap {
  /** Origin of a server that counts requests. */
  url: string
  word: string
}

/** Returns a script that tries every way to show that it ran: requests, messages, output and dialogs. */
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
