import type { Task } from './api/types.js'

const titles = [
  'Paint the door',
  'Oil the lock',
  "Call O'Neil",
  '100 % of the budget',
  'paint the fence',
  'Buy _ & %',
  'Öl für die Kette',
  'Ask for 50 % off',
]
const dues = ['2026-12-01', '2026-12-05', null, '2027-01-15', '2026-11-30']

/**
 * Enough for a judge to tell right from wrong: several pages of them, with nulls, equal values, and characters that are
 * often taken for something else.
 */
export const someTasks: readonly Task[] = Array.from({ length: 45 }, (_, index) => ({
  id: `t${index}`,
  title: `${titles[index % titles.length]}${index < titles.length ? '' : ` ${index}`}`,
  due: dues[index % dues.length] ?? null,
  done: index % 3 === 0,
  '@odata.etag': `W/"${index}"`,
}))
