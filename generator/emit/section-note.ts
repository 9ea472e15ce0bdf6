/** Where the interface says it, as the end of a comment: `(interface, section 4.1)`. */
export const sectionNote = (ref: string): string => `(interface, section ${ref})`
