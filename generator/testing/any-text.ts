import fc from 'fast-check'

/** Texts with everything that could end a literal or a comment, or that is invisible. */
export const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '*/',
        '/*',
        '//',
        '`',
        '${',
        '\\',
        "'",
        '"',
        '\n',
        '\r\n',
        '\u2028',
        '\ufeff',
        '\u202e',
        '</script>',
        '\0',
        'é',
        '💥',
        '\ud800',
      ),
    )
    .map(parts => parts.join('')),
)
