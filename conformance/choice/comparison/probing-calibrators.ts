import type { Session } from '../../session/session.js'
import type { Calibrator, Lesson } from '../calibrator.js'
import { askProbes, type Shown } from './ask-probes.js'
import type { Probing } from './probe.js'

/**
 * Calibrators that share their requests: the first to run asks for all that the spec leaves open. What was seen doing both
 * is asked once more, alone.
 */
export function probingCalibrators(probings: readonly Probing[]): readonly Calibrator[] {
  const asked = new WeakMap<Session, Promise<ReadonlyMap<string, readonly Shown[]>>>()
  return probings.map(probing => ({
    choice: probing.choice,
    after: ['guidLiteral', 'optionSupport'],
    learn: async session => {
      const open = new Set(session.service.open.filter(({ legal }) => legal.length > 1).map(({ name }) => name))
      const all =
        asked.get(session) ??
        askProbes(
          probings.filter(({ choice }) => open.has(choice)),
          session,
        )
      asked.set(session, all)
      const shown = (await all).get(probing.choice) ?? []
      if (new Set(shown.map(({ value }) => value)).size < 2) return lessonOf(shown, probing)
      return lessonOf((await askProbes([probing], session)).get(probing.choice) ?? [], probing)
    },
  }))
}

function lessonOf(shown: readonly Shown[], { choice, isOneOf, features = [] }: Probing): Lesson {
  const witnesses = shown.map(({ witness }) => witness)
  const [first, ...others] = shown
  if (first === undefined) return { kind: 'undecided', why: 'no row of the data tells it' }
  if (others.some(({ value }) => value !== first.value)) {
    if (isOneOf !== undefined) {
      const message = `The service answers in two ways: ${isOneOf}.`
      const received = witnesses.join('; ')
      const answers = shown.map(({ answer }) => answer)
      return { kind: 'illegal', finding: { message, expected: `one value of ${choice}`, received, answers, features } }
    }
    return { kind: 'undecided', why: 'it was seen doing both', witnesses }
  }
  return { kind: 'learned', value: first.value, witnesses }
}
