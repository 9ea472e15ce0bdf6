import type { Calibrator } from '../calibrator.js'
import { lessonOf, type Sign } from './lessons.js'
import { type OrderProbe, orderProbes } from './order-probe.js'

type Compare = (a: string, b: string) => number

const byUnits: Compare = (a, b) => (a < b ? -1 : Number(a > b))
const byPoints: Compare = (a, b) => byUnits(pointText(a), pointText(b))
const folded =
  (fold: (text: string) => string): Compare =>
  (a, b) =>
    byUnits(fold(a), fold(b))

/** What each legal order may look like. */
const orders: Readonly<Record<'ordinal' | 'caseInsensitive', readonly Compare[]>> = {
  ordinal: [byUnits, byPoints],
  caseInsensitive: [folded(text => text.toLowerCase()), folded(text => text.toUpperCase())],
}

/** The order of a language, in some of the ways in which libraries give it. */
const localOptions: readonly Intl.CollatorOptions[] = [{}, { ignorePunctuation: true }, { caseFirst: 'upper' }]
const locals = localOptions.map(options => new Intl.Collator('en', options))

/** C11: texts in the order of one property; where case makes no difference to it, nothing is learned. */
export const stringOrder: Calibrator = {
  choice: 'stringOrder',
  learn: async session => {
    const probes = await orderProbes(session, 'asc', ({ leaf, nulls, distinct }, values) => {
      if (leaf.typeName !== 'Edm.String' || distinct < 3) return 0
      const texts = textsOf(values)
      const ordinal = [...texts].sort(byUnits)
      // Sorted in one order, how much is out of place in the other?
      const telling = ordinal.filter((text, index) => isBefore(ordinal[index + 1], text, orders.caseInsensitive)).length
      return Math.min(telling, 5) * 4 + (nulls > 0 ? 2 : 0) + 1
    })
    const isLocalLegal = session.service.open.some(
      ({ name, legal }) => name === 'stringOrder' && legal.includes('locale'),
    )
    return lessonOf(
      probes.flatMap(probe => signsOf(probe, isLocalLegal)),
      'no list in the order of texts, or none in which letter case decides',
    )
  },
}

function signsOf({ site, leaf, values }: OrderProbe, isLocalLegal: boolean): readonly Sign[] {
  const texts = textsOf(values)
  const may = (name: keyof typeof orders): boolean => orders[name].some(compare => isSorted(texts, compare))
  const text = `${site.id} in the order of ${leaf.path.join('/')}`
  const mayBeLocal = locals.some(({ compare }) => isSorted(texts, compare))
  // Few texts may be in the order of a language by chance, too.
  if (isLocalLegal && mayBeLocal && (may('ordinal') || may('caseInsensitive'))) return []
  if (may('ordinal') && !may('caseInsensitive')) return [{ value: 'ordinal', witness: `${text} goes by code points` }]
  if (may('caseInsensitive') && !may('ordinal')) {
    return [{ value: 'caseInsensitive', witness: `${text} does not tell letter case apart` }]
  }
  return mayBeLocal && !may('ordinal') ? [{ value: 'locale', witness: `${text} goes by the rules of a language` }] : []
}

function textsOf(values: readonly unknown[]): readonly string[] {
  return values.filter(value => typeof value === 'string')
}

function isSorted(texts: readonly string[], compare: Compare): boolean {
  return texts.every((text, index) => {
    const next = texts[index + 1]
    return next === undefined || compare(text, next) <= 0
  })
}

function isBefore(next: string | undefined, text: string, compares: readonly Compare[]): boolean {
  return next !== undefined && compares.every(compare => compare(next, text) < 0)
}

/** Code points in the place of code units, so that comparing units compares points. */
function pointText(text: string): string {
  return Array.from(text, point =>
    String.fromCharCode((point.codePointAt(0) ?? 0) >> 16, (point.codePointAt(0) ?? 0) & 0xffff),
  ).join('')
}
