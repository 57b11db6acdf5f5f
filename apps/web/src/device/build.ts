/** Identifies the build: the name of the script has a hash of its contents. */
export const build: string = new URL(import.meta.url).pathname
