import { join } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { bundleOptions, emojiOnDemand } from '../../scripts/bundle.ts';
import { countCases } from '../helpers/long.ts';

it('what waits for emoji until there are some measures as before', async () => {
  const { outputFiles } = await build({
    ...bundleOptions(join(import.meta.dirname, '../..')),
    stdin: { contents: "export { default } from 'string-width';", resolveDir: import.meta.dirname },
    banner: {},
    plugins: [emojiOnDemand],
    metafile: false,
    legalComments: 'none',
    write: false,
  });
  const code = outputFiles[0]!.text;
  expect(code).toContain('RGI_Emoji');
  const bundled = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    default: typeof stringWidth;
  };
  const sign = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.constantFrom(
      '👩‍👩‍👧',
      '🇫🇷',
      '🇫',
      '1️⃣',
      '#⃣',
      '©',
      '©️',
      '☎',
      '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
      '👍🏽',
      '—',
      '字',
      'é',
      '\u200D',
      '\uFE0F',
    ),
  );
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 6 }), (signs) => {
      const text = signs.join('');
      expect(bundled.default(text)).toBe(stringWidth(text));
    }),
    { numRuns: countCases(5000) },
  );
});
