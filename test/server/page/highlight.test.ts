// Code in texts: coloured where its language is known, never changed, and never slow.
import { expect, it } from 'vitest';
import { convertMarkdownToHtml } from '../../../src/server/page/markdown/to-html.ts';

const format = (text: string): string => convertMarkdownToHtml({ text, prefix: 'x-', level: 2, marks: [] });
const words = (html: string): string => html.replaceAll(/<[^>]*>/g, '');
const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\`\n`;

it('colours a block that names a known language', () => {
  expect(format(fence('ts', 'const a = "b";'))).toContain(
    '<span class="hl-keyword">const</span> a = <span class="hl-string">"b"</span>;',
  );
  expect(format(fence('diff', '-old\n+new'))).toContain('<span class="hl-addition">+new</span>');
});

it('leaves what names none, an unknown one, or is very long as it is', () => {
  for (const text of [fence('', 'const a = 1;'), fence('brainf*ck', '+-'), fence('nolang', 'const a = 1;')])
    expect(format(text)).not.toContain('<span');
  expect(format(fence('js', 'const a = 1;\n'.repeat(1000)))).not.toContain('<span');
});

it.each(['ts', 'python', 'xml', 'yaml', 'bash', 'sql'])('changes no character of %s', (language) => {
  const code = '<script>alert("x")</script> & \u202e <!-- ${`a${b}`} --> \'it\' {"a": [1, 2]}\n\t# é 漢';
  expect(words(format(fence(language, code)))).toBe(`${language}\n${words(format(fence('', code)))}`);
  expect(format(fence(language, code))).not.toContain('<script');
});
