import type { App } from '../platform/app.ts'

const shortest = 6
const fewestGuesses = 10_000
/** Longer passwords are strong by their length, and estimating them takes long. */
const examined = 100

/** Long enough, and not among the first ten thousand that anyone would try. Development servers take any. */
export async function isStrongPassword({ config }: Pick<App, 'config'>, password: string): Promise<boolean> {
  if (config.mode === 'development') return true
  if ([...password].length < shortest) return false
  const estimator = await loadEstimator()
  return estimator.check(password.slice(0, examined)).guesses >= fewestGuesses
}

/** The word lists take 45 MB, so only a node that is asked to judge a password loads them. */
const loadEstimator = once(async () => {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
  })
})

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => (made ??= make())
}
