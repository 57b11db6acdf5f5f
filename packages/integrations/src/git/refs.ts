/** Returns `main` for `refs/heads/main`, or undefined if the ref is not a branch. */
export const branchOf = (ref: string): string | undefined => after('refs/heads/', ref)

/** Returns `v1` for `refs/tags/v1`, or undefined if the ref is not a tag. */
export const tagOf = (ref: string): string | undefined => after('refs/tags/', ref)

/** Returns `main` for `refs/heads/main` and for `main`. */
export const shortRef = (ref: string): string => branchOf(ref) ?? tagOf(ref) ?? ref

export const shortHash = (hash: string): string => hash.slice(0, 7)

/** Returns whether the hash is Git's null hash: the commit before a branch was created or after it was deleted. */
export const isNoCommit = (hash: string): boolean => /^0{40,}$/.test(hash)

function after(prefix: string, ref: string): string | undefined {
  return ref.startsWith(prefix) && ref.length > prefix.length ? ref.slice(prefix.length) : undefined
}
