import { dateEnd } from '../lexical/date.js'
import { dateTimeOffsetEnd } from '../lexical/date-time-offset.js'
import { isDuration } from '../lexical/duration.js'
import { guidEnd } from '../lexical/guid.js'
import { timeOfDayEnd } from '../lexical/time-of-day.js'

interface TextForm {
  readonly form: string
  readonly fits: (text: string) => boolean
}

/** The types that a string literal is cast to when the other operand is of them, and how the text must look. */
const forms: ReadonlyMap<string, TextForm> = new Map([
  ['Edm.Guid', { form: '01234567-89ab-cdef-0123-456789abcdef', fits: text => guidEnd(text, 0) === text.length }],
  ['Edm.Date', { form: 'YYYY-MM-DD', fits: text => dateEnd(text, 0) === text.length }],
  [
    'Edm.DateTimeOffset',
    { form: 'YYYY-MM-DDThh:mm:ssZ, or with an offset', fits: text => dateTimeOffsetEnd(text, 0) === text.length },
  ],
  ['Edm.TimeOfDay', { form: 'hh:mm:ss', fits: text => timeOfDayEnd(text, 0) === text.length }],
  ['Edm.Duration', { form: 'P1DT2H3M4.5S', fits: isDuration }],
])

/** Whether a string literal stands for a value of the type when the other operand is of it. */
export function isCastFromText(type: string): boolean {
  return forms.has(type)
}

/**
 * How the text should have been written, when it is no value of the type; absent when it is one.
 *
 * @see OData ABNF, `primitiveValue`
 */
export function expectedForm(type: string, text: string): string | undefined {
  const form = forms.get(type)
  return form === undefined || form.fits(text) ? undefined : form.form
}
