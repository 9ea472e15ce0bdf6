/** Characters that YAML forbids in a file: control characters other than tab and line break. @see YAML 1.2, 5.1 */
export const forbiddenCharacter = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F\uFFFE\uFFFF]/
