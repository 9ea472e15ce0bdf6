import type { Session } from '../../session/session.js'

/** The statuses of success that a write may have: those of the choice, or the one that was learned; else the declared one. */
export function legalStatuses(
  choice: 'createStatus' | 'updateStatus' | 'deleteStatus',
  declared: number,
  { service, choices }: Pick<Session, 'service' | 'choices'>,
): readonly number[] {
  const learned = choices.get(choice)
  if (learned !== undefined) return [Number(learned)]
  const legal = service.open.find(({ name }) => name === choice)?.legal
  return legal === undefined ? [declared] : legal.map(Number)
}
