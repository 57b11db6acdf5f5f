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

/** The only Trusted Types policy that the document allows. */
const policy = trustedTypes?.createPolicy('oxbow', {
  createHTML: (html) => html,
  createScriptURL(url) {
    if (url !== workerPath)
      throw new TypeError(`${url} is not the service worker, the only script that may be loaded by URL`)
    return url
  },
})

/**
 * Marks HTML of the server or of the renderer as safe to insert. Never pass other HTML: only these
 * two sources restrict elements, attributes and URLs.
 */
export const trustRenderedHtml = (html: string): string => policy?.createHTML(html) ?? html

/** Returns the URL of the service worker, marked as safe to load. */
export const trustedWorkerUrl = (): string => policy?.createScriptURL(workerPath) ?? workerPath
