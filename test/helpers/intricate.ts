/** Markdown that costs a parser the square of its length, or its stack; each makes about `n` characters. */
export const intricate: Record<string, (n: number) => string> = {
  'marks that never pair': (n) => '*a_'.repeat(n / 3),
  'marks that all pair': (n) => '**a'.repeat(n / 3),
  strikethrough: (n) => '~a~b'.repeat(n / 4),
  brackets: (n) => '[a][b]'.repeat(n / 6),
  'open comments': (n) => 'a <!-- '.repeat(n / 7),
  'nested quotes': (n) => '> '.repeat(n / 2) + 'a',
  'nested lists': (n) => '- '.repeat(n / 2) + 'a',
  'quotes one after the other': (n) => '> a\n\n'.repeat(n / 5),
  'lists one after the other': (n) => '- a\n\nb\n\n'.repeat(n / 8),
  'lists closed by headings': (n) => '- a\n# b\n'.repeat(n / 8),
  'lists in lists': (n) => '- a\n  - b\n'.repeat(n / 10),
  'lines that go on after a quote': (n) => '> a\n' + 'b\n'.repeat(n / 2),
};
