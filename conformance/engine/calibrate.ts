import type { OpenChoice } from '../../spec/language/index.js'
import type { Calibrator } from '../choice/calibrator.js'
import type { ChoiceRecord } from '../choice/choice-record.js'
import type { Finding } from '../rule/verdict.js'
import type { Session } from '../session/session.js'

/** Something outside what a choice allows. */
export interface IllegalChoice {
  readonly choice: OpenChoice
  readonly finding: Finding
  readonly calibrator: Calibrator
}

/**
 * Learns the open choices, those first that others need.
 *
 * @param onStep called after each, with what was found to be illegal
 */
export async function calibrate(
  calibrators: readonly Calibrator[],
  session: Session,
  record: ChoiceRecord,
  onStep: (choice: OpenChoice, settleTime: number, illegal: IllegalChoice | undefined) => Promise<void>,
): Promise<void> {
  const open = new Map(session.service.open.map(choice => [choice.name, choice]))
  for (const calibrator of inOrder(calibrators)) {
    const choice = open.get(calibrator.choice)
    if (choice === undefined) continue
    const lesson = await calibrator.learn(session)
    if (lesson.kind === 'learned') {
      record.learned({ choice, value: lesson.value, witnesses: lesson.witnesses })
      await onStep(choice, lesson.settleTime ?? 0, undefined)
    } else if (lesson.kind === 'undecided') {
      record.learned({ choice, witnesses: lesson.witnesses ?? [], undecided: lesson.why })
      await onStep(choice, 0, undefined)
    } else {
      record.learned({ choice, witnesses: [], undecided: lesson.finding.message })
      await onStep(choice, 0, { choice, finding: lesson.finding, calibrator })
    }
  }
}

/** Each after those that it names, else in the order given. */
function inOrder(calibrators: readonly Calibrator[]): readonly Calibrator[] {
  const byChoice = new Map(calibrators.map(calibrator => [calibrator.choice, calibrator]))
  const ordered = new Set<Calibrator>()
  const open = new Set<Calibrator>()
  const visit = (calibrator: Calibrator): void => {
    if (ordered.has(calibrator) || open.has(calibrator)) return
    open.add(calibrator)
    for (const name of calibrator.after ?? []) {
      const earlier = byChoice.get(name)
      if (earlier !== undefined) visit(earlier)
    }
    ordered.add(calibrator)
  }
  for (const calibrator of calibrators) visit(calibrator)
  return [...ordered]
}
