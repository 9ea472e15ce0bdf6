/** A sample of the memory of a process. */
export interface MemorySample {
  /** Seconds since the start of the run. */
  readonly at: number
  /** The life of the service: it grows by one with each restart. */
  readonly life: number
  readonly resident: number
  readonly heap: number
}

/** Megabytes in the parts of a run. */
export interface MemoryLevel {
  /** The medians of the tenths of the run. */
  readonly tenths: readonly { readonly resident: number; readonly heap: number }[]
  /** The longest time without a restart: the medians of its quarters, and the last by the second. */
  readonly longestLife: {
    readonly minutes: number
    readonly quarters: readonly { readonly resident: number; readonly heap: number }[]
    readonly growth: number
  }
}

/** Describes the memory of a service in a run. */
export function memoryLevel(samples: readonly MemorySample[]): MemoryLevel {
  const lives = [...new Set(samples.map(({ life }) => life))].map(life => samples.filter(each => each.life === life))
  const longest = lives.toSorted((one, other) => lengthOf(other) - lengthOf(one))[0] ?? []
  const quarters = medians(longest, 4)
  return {
    tenths: medians(samples, 10),
    longestLife: {
      minutes: Math.round(lengthOf(longest) / 60),
      quarters,
      growth: Math.round((100 * (quarters[3]?.resident ?? 0)) / (quarters[1]?.resident ?? 1)) / 100,
    },
  }
}

function lengthOf(samples: readonly MemorySample[]): number {
  return (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0)
}

function medians(samples: readonly MemorySample[], parts: number): MemoryLevel['tenths'] {
  const begun = samples[0]?.at ?? 0
  const part = Math.max(lengthOf(samples), 1) / parts
  return Array.from({ length: parts }, (_, index) => {
    const within = samples.filter(({ at }) => Math.min(parts - 1, Math.floor((at - begun) / part)) === index)
    return { resident: median(within.map(each => each.resident)), heap: median(within.map(each => each.heap)) }
  })
}

function median(values: readonly number[]): number {
  return Math.round((values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0) / 1e5) / 10
}
