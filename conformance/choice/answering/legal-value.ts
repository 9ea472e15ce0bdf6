import type { Session } from '../../session/session.js'
import type { Calibrator, Lesson } from '../calibrator.js'

/** The legal value of a choice that something shown is: 404 is `404`, and 400 is `4xx`. Absent when none is. */
export function legalValue(
  session: Pick<Session, 'service'>,
  name: string,
  shown: string | number,
): string | number | undefined {
  const legal = session.service.open.find(choice => choice.name === name)?.legal ?? []
  const text = String(shown)
  return legal.find(value => String(value) === text) ?? legal.find(value => isClass(value, text))
}

function isClass(value: string | number, shown: string): boolean {
  return typeof value === 'string' && /^[1-5]xx$/.test(value) && /^\d{3}$/.test(shown) && value[0] === shown[0]
}

/** One thing seen that tells which value a choice has. */
export interface Witness {
  readonly shown: string | number
  readonly text: string
}

/**
 * A calibrator that gathers witnesses: they decide when all show the same legal value. A choice that has one value only is
 * not asked about.
 *
 * @param lacking why there may be no witness
 */
export function witnessed(
  choice: string,
  lacking: string,
  gather: (session: Session) => Promise<readonly Witness[]>,
  after: readonly string[] = [],
): Calibrator {
  return {
    choice,
    after,
    learn: async (session): Promise<Lesson> => {
      const legal = session.service.open.find(({ name }) => name === choice)?.legal ?? []
      const [only] = legal
      if (legal.length === 1 && only !== undefined) return { kind: 'learned', value: only, witnesses: [] }
      const seen = await gather(session)
      const witnesses = seen.map(({ text }) => text)
      const values = new Set(seen.map(({ shown }) => legalValue(session, choice, shown)))
      const [value] = values
      if (seen.length === 0) return { kind: 'undecided', why: lacking }
      if (values.size === 1 && value !== undefined) return { kind: 'learned', value, witnesses }
      const why = values.has(undefined) ? 'what it showed is none of the legal values' : 'it was seen doing both'
      return { kind: 'undecided', why, witnesses }
    },
  }
}
