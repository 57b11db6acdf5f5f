/** The one Trusted Types policy that the document allows. */
interface Policy {
  createHTML(html: string): string
  createScriptURL(url: string): string
}

interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
/** Path of the only script that is loaded by a URL. */
const workerPath = '/sw.js'
const policy = trustedTypes?.createPolicy('oxbow', {
  createHTML: (html) => html,
  createScriptURL(url) {
    if (url !== workerPath) throw new TypeError(`${url} is no script of the client`)
    return url
  },
})

/**
 * Marks HTML of the server or of the renderer as safe to insert. Other HTML must not be passed:
 * only these two restrict elements, attributes and URLs.
 */
export const trustRenderedHtml = (html: string): string => policy?.createHTML(html) ?? html

/** Returns the URL of the service worker, marked as safe to load. */
export const trustedWorkerUrl = (): string => policy?.createScriptURL(workerPath) ?? workerPath
