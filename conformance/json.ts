/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** A JSON object as it came. */
export type Row = Readonly<Record<string, unknown>>
