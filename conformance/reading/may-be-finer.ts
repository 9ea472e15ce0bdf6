import type { Session } from '../session/session.js'

/**
 * Whether moments that are shown alike may be kept apart. That some property was seen not to be kept finer says nothing of
 * the others: a rule that is about something else does not rely on it.
 */
export function mayBeFiner({ service }: Pick<Session, 'service'>): boolean {
  return service.open.some(({ name, legal }) => name === 'timestampPrecision' && legal.includes('finer'))
}
