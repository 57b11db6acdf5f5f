/** Frequencies of the two notes, in hertz. */
const notes = [659, 880]
const noteSeconds = 0.14

let context: AudioContext | undefined

/** Plays two short notes. Browsers block sounds until the user has clicked somewhere in the page. */
export function playChime(): void {
  if (typeof AudioContext !== 'function') return
  context ??= new AudioContext()
  const { currentTime, destination } = context
  const volume = context.createGain()
  volume.gain.value = 0.12
  volume.connect(destination)
  for (const [index, frequency] of notes.entries()) {
    const tone = context.createOscillator()
    tone.frequency.value = frequency
    tone.connect(volume)
    tone.start(currentTime + index * noteSeconds)
    tone.stop(currentTime + (index + 1) * noteSeconds)
  }
  void context.resume().catch(() => {})
}
