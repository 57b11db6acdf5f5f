/** Identifies the build by the name of its script, which contains a hash of the contents. */
export const build: string = new URL(import.meta.url).pathname
