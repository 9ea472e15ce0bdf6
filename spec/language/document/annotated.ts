/** What every element of a spec may carry. */
export interface Annotated {
  /** Section of the interface this comes from, `"4.2 rule 1"`. Travels into comments, OpenAPI, CSDL and reports. */
  readonly ref?: string
  readonly description?: string
  /** The interface does not say this; here is why it is so. Listed in the generated page of assumptions. */
  readonly assumed?: string
}

/** `required`: every implementation must. `optional`: it may refuse with an error. `none`: it must refuse. `true` is `optional`, `false` is `none`. */
export type SupportWord = 'required' | 'optional' | 'none' | boolean
