/** Where in a spec something stands: a JSON Pointer into the document. `Source.at(pointer)` gives line and column. */
export interface Place {
  readonly pointer: string
}

/** What any element may carry. */
export interface Annotations {
  readonly place: Place
  /** Section of the interface. */
  readonly ref?: string
  readonly description?: string
  /** Why the spec says this though the interface does not. */
  readonly assumed?: string
}
