/** Returns `main` for `refs/heads/main`, or undefined if the ref is not a branch. */
export const getBranch = (ref: string): string | undefined => removePrefix('refs/heads/', ref)

/** Returns `v1` for `refs/tags/v1`, or undefined if the ref is not a tag. */
export const getTag = (ref: string): string | undefined => removePrefix('refs/tags/', ref)

/** Returns `main` for `refs/heads/main` and for `main`. */
export const shortRef = (ref: string): string => getBranch(ref) ?? getTag(ref) ?? ref

export const shortHash = (hash: string): string => hash.slice(0, 7)

/**
 * Returns whether the hash is Git's null hash, which stands for the commit before a branch was
 * created or after it was deleted.
 */
export const isNullHash = (hash: string): boolean => /^0{40,}$/.test(hash)

function removePrefix(prefix: string, ref: string): string | undefined {
  return ref.startsWith(prefix) && ref.length > prefix.length ? ref.slice(prefix.length) : undefined
}
