import { runConformance } from '../../conformance/index.js'
import type { Service } from '../../spec/language/index.js'
import { type Stranger, type StrangerSettings, startStranger, strangerToken } from './start-stranger.js'

/** The result of one run of the suite on a stranger. */
export interface StrangerResult {
  readonly stranger: string
  readonly settings: StrangerSettings
  readonly seed: number
  readonly verdict: string
  readonly requests: number
  readonly seconds: number
  /** Each violation: rule, site and message. */
  readonly violations: readonly {
    readonly rule: string
    readonly site: string
    readonly message: string
    /** What the service returned instead. */
    readonly received: string
    readonly curl: string
  }[]
  /** The areas of the rules that were exercised. */
  readonly exercised: readonly string[]
}

interface StrangerRunOptions {
  readonly seed: number
  /** Maximum number of requests. */
  readonly requests: number
  /** End the run at the first violation. */
  readonly stopAtFirst?: boolean
  /** The areas or ids of the rules to check. Default: all. */
  readonly only?: readonly string[]
}

/** Starts a stranger, runs the suite on it over HTTP, and stops it. */
export async function checkStranger(
  stranger: Stranger,
  settings: StrangerSettings,
  spec: Service,
  { stopAtFirst = false, ...options }: StrangerRunOptions,
): Promise<StrangerResult> {
  const running = await startStranger(stranger, settings)
  try {
    const target = `${running.url}/v1.0`
    const stop = new AbortController()
    const report = await runConformance({
      spec,
      target,
      token: strangerToken,
      allowWrites: true,
      allowChanges: true,
      ...options,
      signal: stop.signal,
      onProgress: ({ violations }) => {
        if (stopAtFirst && violations > 0) stop.abort()
      },
    })
    const passed = report.rules.filter(({ state }) => state === 'passed' || state === 'violated')
    return {
      stranger: stranger.name,
      settings,
      seed: options.seed,
      verdict: report.verdict,
      requests: report.requests,
      seconds: report.seconds,
      violations: report.violations.map(({ rule, site, message, received, why, exchanges }) => ({
        rule,
        site,
        message,
        received: [received, ...(why ?? [])].join('; '),
        curl: exchanges.at(-1)?.curl ?? '',
      })),
      exercised: [...new Set(passed.map(({ area }) => area))],
    }
  } finally {
    await running.stop()
  }
}

/** Draws a value for each choice of a stranger, half of them the default. The same seed draws the same values. */
export function drawChoices(
  { description }: Stranger,
  seed: number,
): Required<Pick<StrangerSettings, 'choices'>>['choices'] {
  let state = (seed * 2_654_435_761) >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return Object.fromEntries(
    description.choices.map(choice => {
      const other = choice.values.filter(value => value !== choice.default)
      const drawn = other[Math.floor(next() * other.length)]
      return [choice.name, next() < 0.5 || drawn === undefined ? choice.default : drawn]
    }),
  )
}
