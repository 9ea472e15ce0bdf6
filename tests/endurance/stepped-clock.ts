import { existsSync } from 'node:fs'
import { chmod, rename, writeFile } from 'node:fs/promises'

/** A clock of other processes that a test can step. */
export interface SteppedClock {
  /** What a process needs to use it. */
  readonly environment: Readonly<Record<string, string>>
  /** Steps it to so many seconds after the clock of the machine, or before it if negative. */
  readonly step: (seconds: number) => Promise<void>
  /** Milliseconds since 1970, or undefined for some seconds after a step, which processes do not notice at once. */
  readonly now: () => number | undefined
}

const libraries = ['x86_64', 'aarch64'].map(name => `/usr/lib/${name}-linux-gnu/faketime/libfaketime.so.1`)
/** Milliseconds until each process has noticed a step. */
const notice = 3_000

/** The file of libfaketime, or undefined if it is not installed. */
export const libfaketime = libraries.find(path => existsSync(path))

/** @param file for the offset */
export async function createSteppedClock(library: string, file: string): Promise<SteppedClock> {
  let offset = 0
  let steppedAt = performance.now()
  const step = async (seconds: number): Promise<void> => {
    steppedAt = Number.POSITIVE_INFINITY
    await writeFile(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`)
    await chmod(`${file}.new`, 0o644)
    await rename(`${file}.new`, file)
    offset = seconds * 1000
    steppedAt = performance.now()
  }
  await step(0)
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      // A step does not concern the clock for durations.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    step,
    now: () => (performance.now() < steppedAt + notice ? undefined : Date.now() + offset),
  }
}
