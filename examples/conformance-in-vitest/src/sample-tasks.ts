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
 * Enough to distinguish right from wrong results: several pages, with nulls, equal values, and characters that software often
 * misinterprets.
 */
export const sampleTasks: readonly Task[] = Array.from({ length: 45 }, (_, index) => ({
  id: `t${index}`,
  title: `${titles[index % titles.length]}${index < titles.length ? '' : ` ${index}`}`,
  due: dues[index % dues.length] ?? null,
  done: index % 3 === 0,
  '@odata.etag': `W/"${index}"`,
}))
