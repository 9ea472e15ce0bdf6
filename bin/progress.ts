import type { Terminal } from './terminal.js'

/** Milliseconds after which people like to know that something happens, and between two looks at how far it has come. */
const patience = 500
const pause = 100

/** Shows how far a command has come: nothing of one that is soon done, and not more than anyone can read. */
export interface ProgressLine {
  readonly tell: (text: () => string) => void
  /** Takes it away. */
  readonly end: () => void
}

/** The progress of a command that begins now. */
export function progressLine(terminal: Terminal): ProgressLine {
  let next = terminal.now() + patience
  return {
    tell: text => {
      const now = terminal.now()
      if (now < next) return
      next = now + pause
      terminal.status(text())
    },
    end: () => terminal.status(''),
  }
}
