/** Takes the place of modules that are loaded and never used; using one after all is a fault. */
export class LinkifyIt {}

export function decodeHTMLStrict(): never {
  throw new Error('not in this bundle')
}

// biome-ignore lint/style/noDefaultExport: one of the replaced modules is imported by its default
export default {}
