/** URL of a file that the build copies to the assets under a name with its hash. */
declare module '*.svg?url' {
  const url: string

  // biome-ignore lint/style/noDefaultExport: this is how Vite exports it.
  export { url as default }
}

declare module '*.css'
