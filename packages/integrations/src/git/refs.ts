/** `refs/heads/main` → `main`; nothing, if it is no branch. */
export const branchOf = (ref: string): string | undefined => after('refs/heads/', ref)

/** `refs/tags/v1` → `v1`; nothing, if it is no tag. */
export const tagOf = (ref: string): string | undefined => after('refs/tags/', ref)

/** `refs/heads/main` and `main` → `main`. */
export const shortRef = (ref: string): string => branchOf(ref) ?? tagOf(ref) ?? ref

export const shortHash = (hash: string): string => hash.slice(0, 7)

/** Git's way to say that there is no commit: before a branch was made, after it was deleted. */
export const isNoCommit = (hash: string): boolean => /^0{40,}$/.test(hash)

function after(prefix: string, ref: string): string | undefined {
  return ref.startsWith(prefix) && ref.length > prefix.length ? ref.slice(prefix.length) : undefined
}
