/**
 * Characters that a reader cannot see, or that change how the text around them is shown or parsed: controls, line and
 * paragraph separators, zero-width and bidirectional marks, lone surrogates.
 */
export const hiddenCharacters =
  /[\0-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|\p{Cs}/gu
