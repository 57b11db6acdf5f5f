/** The one Trusted Types policy that the document allows. */
interface Policy {
  createHTML(html: string): string
  createScriptURL(url: string): string
}

interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
/** Path of the only script that is started by its URL. */
const workerPath = '/sw.js'
const policy = trustedTypes?.createPolicy('oxbow', {
  createHTML: (html) => html,
  createScriptURL(url) {
    if (url !== workerPath) throw new TypeError(`${url} is no script of the client`)
    return url
  },
})

/**
 * Marks HTML of the server or of the renderer as markup that may be inserted. Nothing else may be
 * passed: both have limited elements, attributes and URLs already.
 */
export const trustRenderedHtml = (html: string): string => policy?.createHTML(html) ?? html

/** Returns the URL of the service worker, marked as a script that may be started. */
export const trustedWorkerUrl = (): string => policy?.createScriptURL(workerPath) ?? workerPath
