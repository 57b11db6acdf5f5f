/** Replaces modules that are loaded but never used. Using one after all is a bug. */
export class LinkifyIt {}

export function decodeHTMLStrict(): never {
  throw new Error('not in this bundle')
}

// biome-ignore lint/style/noDefaultExport: one of the replaced modules is imported by its default export
export default {}
