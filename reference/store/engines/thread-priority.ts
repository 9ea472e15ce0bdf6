import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** The nice value of a thread: the main thread goes first when both could run. */
const niceness = 10

/**
 * Lowers the priority of this thread. On Linux, each thread has a priority of its own. Elsewhere that of the process would change, so
 * it stays.
 */
export function yieldToMainThread(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    if (Number.isSafeInteger(thread) && thread !== process.pid) setPriority(thread, niceness)
  } catch {
    // No Linux, or no /proc.
  }
}
