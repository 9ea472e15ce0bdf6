/** The collection or primitive value in an answer. The answer itself is missing (204) when the value is null. */
export const unwrap = <Value>(body: { readonly value: Value }): Value => body?.value
