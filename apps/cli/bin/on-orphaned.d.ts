export function onOrphaned(parent: number, onEnded: () => void): void
